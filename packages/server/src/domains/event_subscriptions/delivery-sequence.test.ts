import { webhookServicesKey } from './webhook-services.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute_ms } from '@swath/geo/time-units.ts'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { emitEvents } from '../events/emit.ts'
import type { EventDeliveryContext } from './deliver.ts'
import { drainEventDeliveries } from './drain.ts'
import { computeMaxEventDeliveryAge_ms } from './retry-policy.ts'
import { storedDeliveries } from '../../../test/webhooks/stored-deliveries.ts'

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

/** An organization with one endpoint, which responds with `status`. */
async function createEndpoint() {
  const { organization, owner } = await services.createOrganization()
  const webhooks = services.processServices.get(webhookServicesKey)
  const now = services.clock.now()
  const subscription = newId()
  await owner.db.query(sql`
    insert into event_subscriptions
      (organization_id, id, event_type, endpoint_url, filter_config, active, sealed_secret, created_at, updated_at)
    values (${organization}, ${subscription}, 'collection.updated', 'https://example.org/', '{}', true,
            ${webhooks.seal('whsec_AAAA')}, ${now}, ${now})`)
  const received: [name: string, sequence: number][] = []
  const endpoint = { status: 204 }
  const context: EventDeliveryContext = {
    actor: owner,
    db: owner.db,
    fetch: async (url, { body } = {}) => {
      const event = JSON.parse(String(body)) as { data: { name: string }; sequence: number }
      received.push([event.data.name, event.sequence])
      return { status: endpoint.status, headers: {}, body: new Uint8Array(), url }
    },
    webhooks,
  }
  const hold = (until: Date | null): Promise<unknown> =>
    owner.db.query(sql`
      update event_subscriptions set held_until = ${until}
      where organization_id = ${organization} and id = ${subscription}`)
  return {
    received,
    endpoint,
    hold,
    activate: (): Promise<unknown> =>
      owner.db.query(sql`
        update event_subscriptions set active = true where organization_id = ${organization} and id = ${subscription}`),
    emit: (...names: string[]): Promise<void> =>
      owner.transaction((tx) =>
        emitEvents(
          tx,
          owner,
          { kind: 'collection.updated', entity_type: 'collection' },
          names.map((name) => ({ entity_id: newId(), data: { project_id: newId(), name } })),
        ),
      ),
    drain: () => drainEventDeliveries(context, { limit: 100, signal: new AbortController().signal }),
    /** State and number of each delivery, in the order of the numbers. */
    list: async (): Promise<string[]> => {
      const rows = await owner.db.query<{ state: string; sequence: number | null }>(sql`
        select state, sequence from ${storedDeliveries} d
        where organization_id = ${organization} and subscription_id = ${subscription}
        order by sequence nulls last`)
      return rows.map(({ state, sequence }) => `${sequence} ${state}`)
    },
  }
}

test('deliveries of a subscription are numbered one by one, and one that is sent again keeps its number', async () => {
  const { received, endpoint, emit, drain } = await createEndpoint()
  await emit('a', 'b', 'c')
  await drain()
  assert.deepEqual(received.map(([, sequence]) => sequence).toSorted(), [1, 2, 3])
  endpoint.status = 400
  received.length = 0
  await emit('d')
  await drain()
  endpoint.status = 204
  await emit('e')
  await drain()
  services.clock.advance(minute_ms)
  await drain()
  assert.deepEqual(received, [
    ['d', 4],
    ['e', 5],
    ['d', 4],
  ])
})

test('a delivery that is abandoned unsent has a number, so that the receiver sees a gap', async () => {
  const { received, emit, drain, hold, list } = await createEndpoint()
  await emit('first')
  await drain()
  await hold(new Date(services.clock.now().getTime() + 30 * 24 * 60 * minute_ms))
  await emit('held', 'held too')
  services.clock.advance(
    computeMaxEventDeliveryAge_ms(services.processServices.get(webhookServicesKey).policy) + minute_ms,
  )
  await hold(null)
  await emit('last')
  await drain()
  assert.deepEqual(received, [
    ['first', 1],
    ['last', 4],
  ])
  assert.deepEqual(await list(), ['1 succeeded', '2 dead', '3 dead', '4 succeeded'])
})

test('deliveries that are open when a subscription is disabled have numbers after those that were sent', async () => {
  const { received, endpoint, emit, drain, activate, list } = await createEndpoint()
  endpoint.status = 400
  await emit('refused')
  await drain()
  endpoint.status = 410
  await emit('a', 'b')
  await drain()
  endpoint.status = 204
  await activate()
  await emit('later')
  await drain()
  assert.deepEqual(await list(), ['1 dead', '2 dead', '3 dead', '4 succeeded'])
  assert.deepEqual(received.at(-1), ['later', 4])
})
