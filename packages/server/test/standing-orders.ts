import { minute_ms } from '@swath/geo/time-units.ts'
import type { Client } from '@swath/client/client.ts'
import type { InputOf } from '@swath/client/operations.ts'
import { moveTime } from './citus/statements.ts'
import type { Call } from '../src/engine/call.ts'
import { backgroundTaskTypes } from '../src/engine/task-types.ts'
import { grantCredits } from '../src/domains/ledger/ledger.ts'
import { sql } from '../src/platform/database/sql.ts'
import { newId } from '../src/platform/ids.ts'
import type { HostScene, HostSearch, ImageryHost } from '../src/platform/integrations/imagery-host.ts'
import type { Integrations } from '../src/platform/integrations/integrations.ts'
import { createFaultyHost } from './hosts/faulty-host.ts'
import { square } from './geometries.ts'
import type { CaptureInput } from './orders.ts'
import { callOperation } from './payment-fixtures.ts'
import { createTaskRunner } from './task-runner.ts'
import type { TestApp } from './test-app.ts'
import type { TestServices } from './test-services.ts'

/** The area of every scene and search of these tests. */
export const area = square(10, 50, 0.1)

export interface CatalogHost extends ImageryHost {
  /** Adds a scene, acquired at a time. */
  publish(id: string, acquired_at: Date): void
  /** Makes every search fail, or not any more. */
  setFailing(isFailing: boolean): void
  readonly countSearches: () => number
}

/** A host with a catalogue that a test fills: scenes of `area` at the price of a faulty host. */
export async function createCatalogHost(name: string): Promise<CatalogHost> {
  const host = await createFaultyHost(name)
  const collection = host.collections.find(({ price }) => price !== null)!
  const scenes: HostScene[] = []
  const state = { isFailing: false, searches: 0 }
  const search = async ({ ids, from, to, after, limit }: HostSearch): Promise<readonly HostScene[]> => {
    state.searches++
    if (state.isFailing) throw new Error('The catalogue is unavailable.')
    return scenes
      .filter(({ id, datetime }) => {
        const time = new Date(datetime)
        return (!ids || ids.includes(id)) && (!from || time >= from) && (!to || time <= to)
      })
      .toSorted((left, right) => right.datetime.localeCompare(left.datetime) || left.id.localeCompare(right.id))
      .filter(
        ({ id, datetime }) => !after || datetime < after.datetime || (datetime === after.datetime && id > after.id),
      )
      .slice(0, limit)
  }
  return {
    ...host,
    search,
    // Orders stay open: deliveries are not under test.
    place: async ({ id }) => ({ reference: id }),
    deliveries: async () => ({ state: 'waiting' }),
    publish: (id, acquired_at) =>
      scenes.push({
        id,
        collection: collection.id,
        geometry: area,
        bbox: [10, 50, 10.1, 50.1],
        datetime: acquired_at.toISOString(),
        properties: {},
      }),
    setFailing: (isFailing) => {
      state.isFailing = isFailing
    },
    countSearches: () => state.searches,
  }
}

/** An organization with credits, a host of its own that its searches name, and the tasks of saved searches. */
export async function createSearchFixture(services: TestServices, name: string) {
  const host = await createCatalogHost(name)
  const integrations: Integrations = { ...services.integrations, hosts: new Map([[host.name, host]]) }
  const runner = createTaskRunner({ ...services, integrations })
  const { organization, project, owner: plain, createMemberCall } = await services.createOrganization()
  const asUser = async (call: Call): Promise<Call> => {
    await insertUser(services, call)
    return { ...call, integrations, queue: runner.queue }
  }
  const owner = await asUser(plain)
  const reference = { type: 'organization', id: organization }
  await owner.transaction((tx) =>
    grantCredits(tx, owner, { kind: 'grant_manual', amount_credits: 1_000_000, reference }),
  )
  const invoke = <T = Record<string, unknown>>(id: string, input: object, call: Call = owner): Promise<T> =>
    callOperation<T>(call, id, { ...(id.endsWith('.list') ? { limit: 50, offset: 0 } : {}), ...input })
  return {
    organization,
    project,
    host,
    owner,
    runner,
    invoke,
    createMember: async (role: Parameters<typeof createMemberCall>[0]) => asUser(await createMemberCall(role)),
    now: () => services.clock.forOrganization(organization).now(),
    /** Runs the searches that are due, and the standing orders that follow them, as the schedules do. */
    sweep: async (): Promise<void> => {
      for (const type of [backgroundTaskTypes.sweepSavedSearches, backgroundTaskTypes.sweepStandingOrders]) {
        await runner.runTask(type)
        await runner.runPending()
      }
    },
    /** Publishes a scene that is acquired now, after the last run. */
    publish: (id: string): void => {
      services.clock.advance(20 * minute_ms)
      host.publish(id, services.clock.now())
    },
    saveSearch: async (input: object = {}) =>
      (
        await invoke<{ id: string }>('catalog.search.save', {
          name: 'Field',
          // The sweeps run for all organizations of the tests, which have other hosts.
          source_ids: [host.name],
          filters: { intersects: area },
          notify: true,
          ...input,
        })
      ).id,
    events: (kind: string) =>
      owner.db.query<{ entity_id: string; data: Record<string, unknown>; project_id: string | null }>(sql`
        select entity_id, data, project_id from events
        where organization_id = ${organization} and kind = ${kind} order by created_at, id`),
    orders: () =>
      owner.db.query<{ id: string; total_credits: number; created_by: string; project_id: string }>(sql`
        select id, total_credits, created_by, project_id from orders
        where organization_id = ${organization} order by created_at, id`),
  }
}

export type SearchFixture = Awaited<ReturnType<typeof createSearchFixture>>

/** The user of a call, whom background work looks up. */
async function insertUser({ database, clock }: TestServices, { principal, organization }: Call): Promise<void> {
  const email = `${principal.id}@example.org`
  await database.unscoped.query(sql`
    insert into users (id, email, email_key, password_temporary, organization_id, is_administrator, is_clip_user,
                       created_at, updated_at)
    values (${principal.id}, ${email}, ${email}, false, ${organization}, false, false, ${clock.now()}, ${clock.now()})`)
}

/** Saves a search through the API whose next run is far away, so that no schedule changes the database during a test. */
export async function saveRestingSearch(
  { database }: Pick<TestApp, 'database'>,
  client: Client,
  input: InputOf<'catalog.search.save'>,
): Promise<string> {
  const { id } = await client.call('catalog.search.save', input)
  await moveTime(
    database.unscoped,
    { table: 'saved_searches', column: 'next_run_at', where: sql`id = ${id}` },
    50 * 365 * 86_400_000,
  )
  return id
}

export interface ProposedScene {
  readonly standing_order_id: string
  readonly source_id: string
  readonly scene_id: string
}

/** A standing order that has proposed a scene of a host; it is written as a run would, at any price. */
export async function proposeScene(
  app: Pick<TestApp, 'database'>,
  client: Client,
  { id: scene_id, host: source_id, geometry }: CaptureInput,
  project_id: string | null = null,
): Promise<ProposedScene> {
  const saved_search_id = await saveRestingSearch(app, client, {
    name: newId(),
    project_id,
    source_ids: [source_id],
    filters: { intersects: geometry as never },
  })
  const max_credits = 1_000_000
  const { id: standing_order_id } = await client.call('orders.standing.create', {
    saved_search_id,
    project_id,
    mode: 'ask',
    max_credits_per_scene: max_credits,
    max_credits_per_month: max_credits,
  })
  await app.database.unscoped.query(sql`
    insert into standing_order_scenes
      (organization_id, standing_order_id, source_id, scene_id, acquired_at, status, credits, created_at, updated_at)
    select organization_id, id, ${source_id}, ${scene_id}, created_at, 'proposed', ${max_credits}, created_at, created_at
    from standing_orders where id = ${standing_order_id}`)
  return { standing_order_id, source_id, scene_id }
}
