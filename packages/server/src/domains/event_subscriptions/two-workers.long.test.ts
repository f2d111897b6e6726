import { webhookServicesKey } from './webhook-services.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { noopQueue } from '../../../test/noop-queue.ts'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import { eventually } from '../../../test/webhooks/delivery-client.ts'
import { createLogger } from '../../platform/log.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import type { SafeFetch, SafeFetchOptions, SafeFetchResponse } from '../../platform/integrations/integrations.ts'
import { emitEvents } from '../events/emit.ts'
import { startEventDeliveryWorker, type EventDeliveryWorker } from './delivery-worker.ts'
import { event_delivery_lease_margin_ms } from './retry-policy.ts'
import { storedDeliveries } from '../../../test/webhooks/stored-deliveries.ts'

const endpoint_count = 20
const batch_events = 10
const min_batches = 10
const max_batches = 200
/** Together fewer than an endpoint receives at once. */
const claimed_events = 5
const later_events = 3

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

const accepted: SafeFetchResponse = { status: 200, headers: {}, body: new Uint8Array(), url: '' }

/** A request of a worker, which an endpoint would have received. */
interface SentRequest {
  readonly worker: string
  /** The endpoint and the event: what must not be sent twice. */
  readonly delivery: string
  readonly attempt: string
}

/** An organization with endpoints, to each of which every event goes. */
async function createFixture() {
  const { organization, owner } = await services.createOrganization()
  const { seal } = services.processServices.get(webhookServicesKey)
  const now = services.clock.now()
  for (let endpoint = 0; endpoint < endpoint_count; endpoint += 1)
    await owner.db.query(sql`
      insert into event_subscriptions
        (organization_id, id, event_type, endpoint_url, filter_config, active, sealed_secret, created_at, updated_at)
      values (${organization}, ${newId()}, 'collection.updated', ${`https://example.org/${endpoint}`}, '{}', true,
              ${seal('whsec_AAAA')}, ${now}, ${now})`)
  const sent: SentRequest[] = []
  const record = (worker: string, url: string, { headers = {} }: SafeFetchOptions): void => {
    const delivery = `${url} ${headers['x-service-event-id']}`
    sent.push({ worker, delivery, attempt: headers['x-service-delivery-id']! })
  }
  const workers: EventDeliveryWorker[] = []
  return {
    organization,
    sent,
    emit: (count: number): Promise<void> =>
      owner.transaction((tx) =>
        emitEvents(
          tx,
          owner,
          { kind: 'collection.updated', entity_type: 'collection' },
          Array.from({ length: count }, () => ({ entity_id: newId(), data: { project_id: newId(), name: 'x' } })),
        ),
      ),
    /** Starts a worker as another process does: it knows nothing but the database. */
    start: (name: string, respond: () => Promise<SafeFetchResponse>): EventDeliveryWorker => {
      const fetch: SafeFetch = async (url, options = {}) => {
        record(name, url, options)
        return respond()
      }
      const worker = startEventDeliveryWorker({
        ...services,
        integrations: { ...services.integrations, fetch },
        log: createLogger({ level: 'silent' }),
        queue: noopQueue,
        channel: { subscribe: () => () => undefined },
        poll_s: 0.02,
      })
      workers.push(worker)
      return worker
    },
    countStates: async (): Promise<Record<string, number>> => {
      const rows = await owner.db.query<{ state: string; count: number }>(sql`
        select state, count(*)::int as count from ${storedDeliveries} d
        where organization_id = ${organization} group by state`)
      return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
    },
    /** The numbers that the deliveries of each endpoint got. */
    listSequences: () =>
      owner.db.query(sql`
        select count(*)::int as deliveries, min(sequence) as first, max(sequence) as last,
               count(distinct sequence)::int as numbers
        from ${storedDeliveries} d where organization_id = ${organization} group by subscription_id`),
    stop: async (): Promise<void> => {
      for (const worker of workers) await worker.stop(10_000)
    },
  }
}

type Fixture = Awaited<ReturnType<typeof createFixture>>

const waitForAll = ({ countStates }: Fixture, deliveries: number): Promise<unknown> =>
  eventually(
    async () => ((await countStates())['succeeded'] === deliveries ? true : undefined),
    `${deliveries} deliveries`,
  )

/** The deliveries that were sent more than once. */
const listRepeated = (sent: readonly SentRequest[]): string[] =>
  [...Map.groupBy(sent, ({ delivery }) => delivery)].filter(([, requests]) => requests.length > 1).map(([key]) => key)

test('two workers share the deliveries of a database and send none twice', async () => {
  const fixture = await createFixture()
  const respond = async (): Promise<SafeFetchResponse> => {
    await pause(2)
    return accepted
  }
  const countWorkers = (): number => new Set(fixture.sent.map(({ worker }) => worker)).size
  fixture.start('one', respond)
  await pause(10)
  fixture.start('two', respond)
  try {
    let events = 0
    // Until both have sent something: which of them claims an event is a matter of chance.
    for (let batch = 0; batch < min_batches || (countWorkers() < 2 && batch < max_batches); batch += 1) {
      await fixture.emit(batch_events)
      events += batch_events
      await pause(10)
    }
    const deliveries = events * endpoint_count
    await waitForAll(fixture, deliveries)
    assert.equal(countWorkers(), 2)
    assert.equal(fixture.sent.length, deliveries)
    assert.deepEqual(listRepeated(fixture.sent), [])
    assert.equal(new Set(fixture.sent.map(({ attempt }) => attempt)).size, deliveries)
    assert.deepEqual(
      await fixture.listSequences(),
      Array.from({ length: endpoint_count }, () => ({ deliveries: events, first: 1, last: events, numbers: events })),
    )
  } finally {
    await fixture.stop()
  }
})

test('deliveries of a killed worker are sent by the other one after its lease; a late result is ignored', async () => {
  const fixture = await createFixture()
  const release: ((response: SafeFetchResponse) => void)[] = []
  const killed = fixture.start('killed', () => new Promise((resolve) => release.push(resolve)))
  try {
    await fixture.emit(claimed_events)
    const claimed = claimed_events * endpoint_count
    await eventually(async () => (release.length === claimed ? true : undefined), 'claims')
    await killed.stop(0)
    await fixture.emit(later_events)
    fixture.start('other', async () => accepted)
    await waitForAll(fixture, later_events * endpoint_count)
    assert.deepEqual(listRepeated(fixture.sent), [])
    services.clock.advance(
      services.processServices.get(webhookServicesKey).policy.timeout_ms + event_delivery_lease_margin_ms,
    )
    const deliveries = claimed + later_events * endpoint_count
    await waitForAll(fixture, deliveries)
    const repeated = listRepeated(fixture.sent)
    assert.equal(repeated.length, claimed)
    assert.equal(fixture.sent.length, deliveries + claimed)
    for (const resolve of release) resolve({ ...accepted, status: 500 })
    await pause(50)
    assert.deepEqual(await fixture.countStates(), { succeeded: deliveries })
  } finally {
    await fixture.stop()
  }
})
