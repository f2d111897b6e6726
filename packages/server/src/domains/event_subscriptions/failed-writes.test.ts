import { webhookServicesKey } from './webhook-services.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { noopQueue } from '../../../test/noop-queue.ts'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import { eventually } from '../../../test/webhooks/delivery-client.ts'
import type { DbConnection, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { createLogger } from '../../platform/log.ts'
import { emitEvents } from '../events/emit.ts'
import type { EventDeliveryContext } from './deliver.ts'
import { startEventDeliveryWorker, type EventDeliveryWorkerDependencies } from './delivery-worker.ts'
import { drainEventDeliveries } from './drain.ts'
import { recordEventDeliveryResults, type FinishedEventDeliveryAttempt } from './record-results.ts'
import { event_delivery_lease_margin_ms } from './retry-policy.ts'
import type { ClaimedEventDelivery } from './store.queues.ts'
import { storedDeliveries } from '../../../test/webhooks/stored-deliveries.ts'

const endpoint_count = 4
const event_count = 3

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

/** An organization with endpoints and events for each of them. */
async function createOrganizationWithEvents() {
  const { organization, owner } = await services.createOrganization()
  const now = services.clock.now()
  const subscriptions = Array.from({ length: endpoint_count }, newId)
  for (const id of subscriptions)
    await owner.db.query(sql`
      insert into event_subscriptions
        (organization_id, id, event_type, endpoint_url, filter_config, active, sealed_secret, created_at, updated_at)
      values (${organization}, ${id}, 'collection.updated', ${`https://example.org/${id}`}, '{}', true,
              ${services.processServices.get(webhookServicesKey).seal('whsec_AAAA')}, ${now}, ${now})`)
  const events = Array.from({ length: event_count }, () => ({
    entity_id: newId(),
    data: { project_id: newId(), name: 'x' },
  }))
  await owner.transaction((tx) =>
    emitEvents(tx, owner, { kind: 'collection.updated', entity_type: 'collection' }, events),
  )
  const countSucceeded = async (): Promise<number> => {
    const [row] = await owner.db.query<{ count: number }>(sql`
      select count(*)::int as count from ${storedDeliveries} d
      where organization_id = ${organization} and state = 'succeeded'`)
    return row!.count
  }
  return { organization, owner, subscriptions, countSucceeded }
}

/** The connection, whose next transactions fail as long as `isFailing` says so. */
const failWhile = (db: DbConnection, isFailing: () => boolean): DbConnection => ({
  organization: db.organization,
  query: (statement) => db.query(statement),
  transaction: async (work) => {
    if (isFailing()) throw new Error('deadlock detected')
    return db.transaction(work)
  },
})

test('results and claims whose transactions fail are repeated, and nothing is sent twice', async () => {
  const { organization, countSucceeded } = await createOrganizationWithEvents()
  const sent: string[] = []
  let failures = 0
  const isFailing = (): boolean => sent.length > 0 && failures++ < 2
  const { database } = services
  const dependencies: EventDeliveryWorkerDependencies = {
    ...services,
    database: { ...database, forOrganization: (id) => failWhile(database.forOrganization(id), isFailing) },
    integrations: {
      ...services.integrations,
      fetch: async (url, { headers = {} } = {}) => {
        sent.push(`${url} ${headers['x-service-event-id']}`)
        return { status: 200, headers: {}, body: new Uint8Array(), url }
      },
    },
    log: createLogger({ level: 'silent' }),
    queue: noopQueue,
    channel: { subscribe: () => () => undefined },
    poll_s: 0.02,
  }
  const deliveries = endpoint_count * event_count
  const worker = startEventDeliveryWorker(dependencies)
  try {
    await eventually(async () => ((await countSucceeded()) === deliveries ? true : undefined), organization)
  } finally {
    await worker.stop(10_000)
  }
  assert.ok(failures > 2)
  assert.equal(sent.length, deliveries)
  assert.equal(new Set(sent).size, deliveries)
})

test('a drain whose results cannot be written at first writes them later, and sends nothing twice', async () => {
  const { owner, organization, countSucceeded } = await createOrganizationWithEvents()
  const sent: string[] = []
  let failures = 0
  const context: EventDeliveryContext = {
    actor: owner,
    db: failWhile(services.database.forOrganization(organization), () => sent.length > 0 && failures++ < 2),
    fetch: async (url, { headers = {} } = {}) => {
      sent.push(`${url} ${headers['x-service-event-id']}`)
      return { status: 200, headers: {}, body: new Uint8Array(), url }
    },
    webhooks: services.processServices.get(webhookServicesKey),
  }
  const { signal } = new AbortController()
  const deliveries = endpoint_count * event_count
  const drained = await drainEventDeliveries(context, { limit: 1000, signal })
  assert.deepEqual(drained, { attempted_count: deliveries, delivered_count: deliveries })
  assert.ok(failures > 2)
  assert.equal(await countSucceeded(), deliveries)
  services.clock.advance(
    services.processServices.get(webhookServicesKey).policy.timeout_ms + event_delivery_lease_margin_ms,
  )
  assert.deepEqual(await drainEventDeliveries(context, { limit: 1000, signal }), {
    attempted_count: 0,
    delivered_count: 0,
  })
  assert.equal(new Set(sent).size, sent.length)
})

test('results lock their subscriptions first, in the order of the ids', async () => {
  const { owner, subscriptions, organization } = await createOrganizationWithEvents()
  const now = services.clock.now()
  const toAttempt = (subscription_id: string, is_delivered: boolean): FinishedEventDeliveryAttempt => ({
    delivery: { id: newId(), attempt_id: newId(), subscription_id, attempts: 1 } as ClaimedEventDelivery,
    result: {
      is_delivered,
      http_status: is_delivered ? 200 : 500,
      request_headers: {},
      error: null,
      pause_ms: null,
      response_headers: {},
      response_body: '',
      started_at: now,
      duration_ms: 1,
    },
  })
  const attempts = subscriptions.toReversed().map((id, at) => toAttempt(id, at % 2 === 0))
  const statements: string[] = []
  const locked: unknown[] = []
  await owner.transaction((tx) => {
    const traced: Tx = {
      organization,
      afterCommit: (work) => tx.afterCommit(work),
      publish: (channel, message) => tx.publish(channel, message),
      query: async <Row>(statement: Parameters<Tx['query']>[0]): Promise<Row[]> => {
        const rows = await tx.query<Row>(statement)
        if (statements.length === 0) locked.push(...rows)
        statements.push(statement.strings.join('?'))
        return rows
      },
    }
    return recordEventDeliveryResults(traced, owner, services.processServices.get(webhookServicesKey).policy, attempts)
  })
  assert.match(statements[0]!, /from event_subscriptions[^]*order by id for no key update/)
  assert.deepEqual(
    locked,
    subscriptions.toSorted().map((id) => ({ id, has_failed: false })),
  )
  assert.ok(statements.length > 1)
})
