import { webhookServicesKey } from './webhook-services.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day_ms } from '@swath/geo/time-units.ts'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { emitEvents } from '../events/emit.ts'
import { claimDueEventDeliveries, type EventDeliveryContext } from './deliver.ts'
import { computeEventDeliveryLease_ms } from './retry-policy.ts'

const event_count = 3

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

test('a delivery in progress is not sent again while the clock of its organization jumps, but after its lease', async () => {
  const { organization, owner } = await services.createOrganization()
  const now = services.clock.now()
  const webhooks = services.processServices.get(webhookServicesKey)
  await owner.db.query(sql`
    insert into event_subscriptions
      (organization_id, id, event_type, endpoint_url, filter_config, active, sealed_secret, created_at, updated_at)
    values (${organization}, ${newId()}, 'collection.updated', 'https://example.org', '{}', true,
            ${webhooks.seal('whsec_AAAA')}, ${now}, ${now})`)
  const events = Array.from({ length: event_count }, () => ({
    entity_id: newId(),
    data: { project_id: newId(), name: 'x' },
  }))
  await owner.transaction((tx) =>
    emitEvents(tx, owner, { kind: 'collection.updated', entity_type: 'collection' }, events),
  )
  const context: EventDeliveryContext = { actor: owner, db: owner.db, fetch: services.integrations.fetch, webhooks }
  const claim = async (): Promise<string[]> =>
    (await claimDueEventDeliveries(context, 100)).deliveries.map(({ event_id }) => event_id).sort()

  const claimed = await claim()
  assert.equal(claimed.length, event_count)
  services.clock.advance(day_ms, organization)
  assert.deepEqual(await claim(), [])
  services.clock.advance(computeEventDeliveryLease_ms(webhooks.policy))
  assert.deepEqual(await claim(), claimed)
})
