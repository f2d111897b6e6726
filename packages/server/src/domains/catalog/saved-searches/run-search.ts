import { limits } from '@swath/contract/limits.ts'
import { Problem } from '../../../engine/problem.ts'
import { type TaskContext, createTaskActor } from '../../../engine/task.ts'
import { type OrganizationTime, shiftTime } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { HostScene, HostSearch, ImageryHost } from '../../../platform/integrations/imagery-host.ts'
import { readPriceRates } from '../../contracts/rates.ts'
import { emitEvent } from '../../events/emit.ts'
import { findOrganization } from '../../organizations/store.ts'
import { lockOpenProject } from '../../projects/access.ts'
import {
  type SavedSearchRow,
  findSavedSearch,
  findSavedSearchStopReason,
  updateSavedSearchLastMatch,
  updateSavedSearchNextRun,
} from './store.saved-searches.ts'
import {
  type SavedSearchSourceRow,
  deleteSavedSearchSeenScenes,
  insertSeenScenes,
  insertSavedSearchWatchedSources,
  listSavedSearchSources,
  listSeenScenes,
  updateSavedSearchSourceFailure,
  updateSavedSearchSourceRun,
} from './store.scenes.ts'
import { day_ms } from '@swath/geo/time-units.ts'
import type { ProductTermsByName } from '../../rate-cards/product-terms.ts'
import { loadHostCollections } from '../hosts.ts'
import { type CatalogFilters, searchImageryHost, toHostSearch } from '../search.ts'

/** Scenes that are published later than this after their acquisition are not announced. */
const watched_period_ms = 30 * day_ms

const page_size = 200
/** Pages of one run: the newest thousand scenes of a source. */
const max_pages = 5

/** The scenes of a host that match the filters and were acquired in the watched period, newest first. */
async function findRecentScenes(
  host: ImageryHost,
  filters: CatalogFilters,
  {
    products,
    now,
    signal,
  }: { readonly products: ProductTermsByName; readonly now: OrganizationTime; readonly signal: AbortSignal },
): Promise<readonly HostScene[]> {
  await loadHostCollections(host, signal)
  const search = toHostSearch(host, filters, products)
  const begin = shiftTime(now, -watched_period_ms)
  const from = search.from && search.from > begin ? search.from : begin
  if (search.to && search.to < from) return []
  const scenes = new Map<string, HostScene>()
  let after: HostSearch['after']
  for (let page = 0; page < max_pages; page++) {
    const found = await searchImageryHost(
      host,
      { ...search, from, limit: page_size, ...(after ? { after } : {}) },
      signal,
    )
    for (const scene of found) scenes.set(scene.id, scene)
    const last = found.at(-1)
    if (!last || found.length < page_size) break
    after = { datetime: last.datetime, id: last.id }
  }
  return [...scenes.values()]
}

const run_interval_ms = 15 * 60_000
const max_retry_ms = 24 * 3_600_000

/** A failing source is searched again after twice the time of its last failure, at least once a day. */
const retryDelay_ms = (failures: number): number =>
  Math.min(max_retry_ms, run_interval_ms * 2 ** Math.min(failures, 10))

/**
 * Searches the due sources of a saved search, each by itself: one that fails does not hold up the others. Rests while the
 * organization is suspended, or who saved it may not act any more.
 */
export async function runSavedSearch(context: TaskContext, organization: string, id: string): Promise<void> {
  const db = context.database.forOrganization(organization)
  const now = context.clock.forOrganization(organization).now()
  const search = await findSavedSearch(db, organization, id)
  if (!search?.next_run_at || search.next_run_at > now) return
  const isSuspended = (await findOrganization(db, organization))?.status !== 'active'
  if (isSuspended || (await findSavedSearchStopReason(db, organization, id, now)) !== null) {
    await updateSavedSearchNextRun(db, { organization, id, at: shiftTime(now, max_retry_ms) })
    return
  }
  const hosts = listHosts(context, search)
  await insertSavedSearchWatchedSources(db, { organization, search: id, sources: hosts.map(({ name }) => name), now })
  const sources = await listSavedSearchSources(db, organization, [id])
  for (const host of hosts) {
    const source = sources.find(({ source_id }) => source_id === host.name)
    if (source && source.next_run_at <= now) await runSource(context, { organization, search, source, host, now })
  }
  await updateSavedSearchNextRun(db, { organization, id, at: shiftTime(now, run_interval_ms) })
}

/** The configured hosts of the search; a name that is not configured any more is passed over. */
function listHosts({ integrations }: TaskContext, { source_ids }: SavedSearchRow): ImageryHost[] {
  const hosts = [...integrations.hosts.values()]
  return source_ids === null ? hosts : hosts.filter(({ name }) => source_ids.includes(name))
}

interface SourceRun {
  readonly organization: string
  readonly search: SavedSearchRow
  readonly source: SavedSearchSourceRow
  readonly host: ImageryHost
  readonly now: OrganizationTime
}

async function runSource(context: TaskContext, run: SourceRun): Promise<void> {
  const { organization, search, source, host, now } = run
  const db = context.database.forOrganization(organization)
  try {
    const { products } = await readPriceRates(db, organization, now)
    const scenes = await findRecentScenes(host, search.filters, { products, now, signal: context.signal })
    await db.transaction((tx) => recordScenes(tx, context, run, scenes))
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof Problem)) throw error
    context.log.warn({ error, search: search.id, source: host.name }, 'a saved search could not be run')
    const key = { organization, search: search.id, source: host.name }
    await updateSavedSearchSourceFailure(db, key, {
      error: error.message,
      next_run_at: shiftTime(now, retryDelay_ms(source.failures + 1)),
    })
  }
}

/** Records the scenes that were not seen before, and announces the new ones of them in the same transaction. */
async function recordScenes(tx: Tx, context: TaskContext, run: SourceRun, scenes: readonly HostScene[]): Promise<void> {
  const { organization, search, source, now } = run
  const { id, name } = search
  if (!(await findSavedSearch(tx, organization, id, true))) return
  const actor = createTaskActor(context, organization)
  await lockOpenProject(tx, actor, search.project_id)
  const key = { organization, search: id, source: source.source_id }
  const { known, fresh } = await separateScenes(tx, run, scenes)
  await insertSeenScenes(tx, key, known, null)
  const scene_ids = await insertSeenScenes(tx, key, fresh, now)
  await deleteSavedSearchSeenScenes(tx, key, shiftTime(now, -2 * watched_period_ms))
  await updateSavedSearchSourceRun(tx, key, { now, next_run_at: shiftTime(now, run_interval_ms) })
  if (scene_ids.length === 0) return
  await updateSavedSearchLastMatch(tx, organization, id, now)
  await emitEvent(tx, actor, {
    kind: 'saved_search.matched',
    entity_type: 'saved_search',
    entity_id: id,
    data: { name, source_id: source.source_id, scene_ids },
  })
}

/**
 * The scenes that no run has seen: those that existed before the search was saved, which only the first run of a source
 * can recognise, and the new ones, the oldest first and at most as many as one run announces.
 */
async function separateScenes(tx: Tx, { organization, search, source }: SourceRun, scenes: readonly HostScene[]) {
  const key = { organization, search: search.id, source: source.source_id }
  const ids = scenes.map((scene) => scene.id)
  const seen = new Set(await listSeenScenes(tx, key, ids))
  const unseen = scenes
    .filter((scene) => !seen.has(scene.id))
    .map((scene) => ({ scene_id: scene.id, acquired_at: new Date(scene.datetime) }))
  const [current] = (await listSavedSearchSources(tx, organization, [search.id])).filter(
    ({ source_id }) => source_id === source.source_id,
  )
  const isFirstRun = current?.last_run_at === null
  const isKnown = ({ acquired_at }: { readonly acquired_at: Date }): boolean =>
    isFirstRun && acquired_at <= source.watched_since
  return {
    known: unseen.filter(isKnown),
    fresh: unseen
      .filter((scene) => !isKnown(scene))
      .toReversed()
      .slice(0, limits.max_new_scenes_per_run),
  }
}
