import { skipOnCitus } from '../../../test/citus/cluster.ts'
import { webhookServicesKey } from './webhook-services.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { emitEvent } from '../events/emit.ts'
import { drainEventDeliveries } from './drain.ts'

const subscription_count = 10_000

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

test(
  'an event is delivered to each of 10,000 subscriptions once, in batches of bounded size',
  skipOnCitus('the test inserts the rows of a query'),
  async () => {
    const { organization, owner } = await services.createOrganization()
    const now = services.clock.now()
    await owner.db.query(sql`
    insert into event_subscriptions
      (organization_id, id, event_type, endpoint_url, filter_config, active, sealed_secret, created_at, updated_at)
    select ${organization}, gen_random_uuid(), 'collection.updated', 'https://example.org/' || number, '{}', true,
           ${services.processServices.get(webhookServicesKey).seal('whsec_AAAA')}, ${now}, ${now}
    from generate_series(1, ${subscription_count}::int) as number`)
    const event = { entity_type: 'collection', entity_id: newId(), data: { project_id: newId(), name: 'x' } }
    await owner.transaction((tx) => emitEvent(tx, owner, { kind: 'collection.updated', ...event }))
    const sent = new Set<string>()
    let [in_progress, max_in_progress] = [0, 0]
    const context = {
      actor: owner,
      db: services.database.forOrganization(organization),
      fetch: async (url: string) => {
        assert.ok(!sent.has(url), `${url} was sent twice`)
        sent.add(url)
        max_in_progress = Math.max(max_in_progress, (in_progress += 1))
        await new Promise((resolve) => setImmediate(resolve))
        in_progress -= 1
        return { status: 200, headers: {}, body: new Uint8Array(), url }
      },
      webhooks: services.processServices.get(webhookServicesKey),
    }
    const { signal } = new AbortController()
    let delivered = 0
    while (delivered < subscription_count) {
      const counts = await drainEventDeliveries(context, { limit: 512, signal })
      assert.ok(counts.attempted_count > 0 && counts.attempted_count <= 512)
      assert.equal(counts.delivered_count, counts.attempted_count)
      delivered += counts.delivered_count
    }
    assert.equal(sent.size, subscription_count)
    assert.ok(max_in_progress <= 512, String(max_in_progress))
  },
)
