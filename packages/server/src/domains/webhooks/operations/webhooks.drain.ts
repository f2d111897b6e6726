import { webhookServicesKey } from '../../event_subscriptions/webhook-services.ts'
import { webhooksDrainOperation } from '@swath/contract/operations/webhooks.ts'
import { actorInOrganization } from '../../../engine/actor.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { drainEventDeliveries } from '../../event_subscriptions/drain.ts'
import { listOrganizationsOfDueEventDeliveries } from '../../event_subscriptions/due-organizations.ts'

const default_limit = 500

export const handler = defineHandler(webhooksDrainOperation, async (call, input) => {
  const limit = input.limit ?? default_limit
  let [attempted_count, delivered_count] = [0, 0]
  for (const organization of await listOrganizationsOfDueEventDeliveries(call.unscoped, call.clocks)) {
    if (attempted_count >= limit || call.signal.aborted) break
    const { db } = call.asOrganization(organization)
    const context = {
      actor: actorInOrganization(call, organization),
      db,
      fetch: call.integrations.fetch,
      webhooks: call.processServices.get(webhookServicesKey),
    }
    const counts = await drainEventDeliveries(context, { limit: limit - attempted_count, signal: call.signal })
    attempted_count += counts.attempted_count
    delivered_count += counts.delivered_count
  }
  return { attempted_count, delivered_count, failed_count: attempted_count - delivered_count }
})
