import { hour_ms } from '@swath/geo/time-units.ts'
import { shiftTime, type OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** The state of one source of a saved search after its runs. */
export interface SavedSearchSourceRow {
  readonly search_id: string
  readonly source_id: string
  readonly watched_since: Date
  readonly last_run_at: Date | null
  readonly failures: number
  readonly error: string | null
  readonly next_run_at: Date
}

const columns = sql`search_id, source_id, watched_since, last_run_at, failures, error, next_run_at`

/** Begins to watch sources that are not watched yet. */
export async function insertSavedSearchWatchedSources(
  db: SqlStatementRunner,
  {
    organization,
    search,
    sources,
    now,
  }: {
    readonly organization: string
    readonly search: string
    readonly sources: readonly string[]
    readonly now: OrganizationTime
  },
): Promise<void> {
  if (sources.length === 0) return
  const values = sources.map(
    (source) =>
      sql`(${organization}::uuid, ${search}::uuid, ${source}::text, ${now}::timestamptz, ${now}::timestamptz)`,
  )
  await db.query(sql`
    insert into saved_search_sources (organization_id, search_id, source_id, watched_since, next_run_at)
    values ${sql.join(values, sql`, `)}
    on conflict do nothing`)
}

export async function listSavedSearchSources(
  db: SqlStatementRunner,
  organization: string,
  searches: readonly string[],
): Promise<SavedSearchSourceRow[]> {
  return db.query<SavedSearchSourceRow>(sql`
    select ${columns} from saved_search_sources
    where organization_id = ${organization} and search_id = any(${searches}::uuid[])
    order by source_id`)
}

interface SourceKey {
  readonly organization: string
  readonly search: string
  readonly source: string
}

export async function updateSavedSearchSourceRun(
  tx: Tx,
  { organization, search, source }: SourceKey,
  { now, next_run_at }: { readonly now: OrganizationTime; readonly next_run_at: OrganizationTime },
): Promise<void> {
  await tx.query(sql`
    update saved_search_sources set last_run_at = ${now}, failures = 0, error = null, next_run_at = ${next_run_at}
    where organization_id = ${organization} and search_id = ${search} and source_id = ${source}`)
}

export async function updateSavedSearchSourceFailure(
  db: SqlStatementRunner,
  { organization, search, source }: SourceKey,
  { error, next_run_at }: { readonly error: string; readonly next_run_at: OrganizationTime },
): Promise<void> {
  await db.query(sql`
    update saved_search_sources set failures = failures + 1, error = ${error}, next_run_at = ${next_run_at}
    where organization_id = ${organization} and search_id = ${search} and source_id = ${source}`)
}

export interface SeenScene {
  readonly scene_id: string
  readonly acquired_at: Date
}

/** The ids of a source that the runs of a search have seen already. */
export async function listSeenScenes(
  db: SqlStatementRunner,
  { organization, search, source }: SourceKey,
  scenes: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ scene_id: string }>(sql`
    select scene_id from saved_search_scenes
    where organization_id = ${organization} and search_id = ${search} and source_id = ${source}
      and scene_id = any(${scenes}::text[])`)
  return rows.map(({ scene_id }) => scene_id)
}

/** Records scenes as seen, with the time of their match or null; returns the ids that were not recorded before. */
export async function insertSeenScenes(
  tx: Tx,
  { organization, search, source }: SourceKey,
  scenes: readonly SeenScene[],
  matched_at: OrganizationTime | null,
): Promise<string[]> {
  if (scenes.length === 0) return []
  const values = scenes.map(
    ({ scene_id, acquired_at }) => sql`
      (${organization}::uuid, ${search}::uuid, ${source}::text, ${scene_id}::text, ${acquired_at}::timestamptz,
       ${matched_at}::timestamptz)`,
  )
  const rows = await tx.query<{ scene_id: string }>(sql`
    insert into saved_search_scenes (organization_id, search_id, source_id, scene_id, acquired_at, matched_at)
    values ${sql.join(values, sql`, `)}
    on conflict do nothing
    returning scene_id`)
  return rows.map(({ scene_id }) => scene_id)
}

/** Forgets scenes that were acquired before the time: no run finds them again. */
export async function deleteSavedSearchSeenScenes(tx: Tx, key: SourceKey, before: OrganizationTime): Promise<void> {
  const { organization, search, source } = key
  await tx.query(sql`
    delete from saved_search_scenes
    where organization_id = ${organization} and search_id = ${search} and source_id = ${source}
      and acquired_at < ${before}`)
}

export interface MatchedScene extends SeenScene {
  readonly source_id: string
  readonly matched_at: Date
}

/** The scenes that were matched in the last hour: at least those of the event that was just emitted. */
export async function listNewestSceneMatches(
  tx: Tx,
  organization: string,
  search: string,
  now: OrganizationTime,
): Promise<MatchedScene[]> {
  return tx.query<MatchedScene>(sql`
    select source_id, scene_id, acquired_at, matched_at from saved_search_scenes
    where organization_id = ${organization} and search_id = ${search} and matched_at > ${shiftTime(now, -hour_ms)}`)
}
