import { webhookServicesKey } from '../../event_subscriptions/webhook-services.ts'
import { webhooksUpdateOperation } from '@swath/contract/operations/webhooks.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { validateEndpointUrl } from '../../event_subscriptions/subscription.ts'
import { writeWebhookEventSubscriptions } from '../../event_subscriptions/webhook-subscriptions.ts'
import { updateWebhook } from '../store.ts'
import {
  listEventTypesOfWebhookEvents,
  requireChangeableWebhook,
  requireWebhook,
  toWebhook,
  resolveWebhookScope,
} from '../webhook.ts'

export const handler = defineHandler(webhooksUpdateOperation, async (call, input) => {
  const { webhook_id, name, url, events, active, secret = null } = input
  const scope = await resolveWebhookScope(call, input.workspace_id)
  await requireChangeableWebhook(call, scope, webhook_id)
  await validateEndpointUrl(call, 'url', url)
  const { seal } = call.processServices.get(webhookServicesKey)
  const row = await call.transaction(async (tx) => {
    const now = call.clock.now()
    const before = await requireWebhook(tx, scope, webhook_id, true)
    await updateWebhook(tx, { ...before, name, url, events }, now)
    const { organization_id, project_id, created_by, created_by_key } = before
    const settings = {
      organization_id,
      project_id,
      created_by,
      created_by_key,
      webhook_id,
      active,
      event_types: listEventTypesOfWebhookEvents(events),
      endpoint_url: url,
      description: name,
      sealed_secret: secret === null ? null : seal(secret),
    }
    await writeWebhookEventSubscriptions(tx, settings, now)
    return requireWebhook(tx, scope, webhook_id)
  })
  return toWebhook(row)
})
