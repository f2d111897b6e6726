import { webhookServicesKey } from '../../event_subscriptions/webhook-services.ts'
import { webhooksCreateOperation } from '@swath/contract/operations/webhooks.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { getCallingApiKeyId } from '../../../engine/principal.ts'
import { generateSigningSecret } from '../../../platform/crypto/secrets.ts'
import { newId } from '../../../platform/ids.ts'
import { validateEndpointUrl } from '../../event_subscriptions/subscription.ts'
import { writeWebhookEventSubscriptions } from '../../event_subscriptions/webhook-subscriptions.ts'
import { insertWebhook } from '../store.ts'
import { listEventTypesOfWebhookEvents, requireWebhook, toWebhook, resolveWebhookScope } from '../webhook.ts'

export const handler = defineHandler(webhooksCreateOperation, async (call, input) => {
  const { name, url, events } = input
  const scope = await resolveWebhookScope(call, input.workspace_id)
  await validateEndpointUrl(call, 'url', url)
  const secret = input.secret ?? generateSigningSecret()
  const shared = {
    organization_id: call.organization,
    project_id: scope.project,
    created_by: call.principal.user,
    created_by_key: getCallingApiKeyId(call.principal),
  }
  const row = await call.transaction(async (tx) => {
    const now = call.clock.now()
    const id = newId()
    await insertWebhook(tx, { ...shared, id, name, url, events }, now)
    const settings = {
      ...shared,
      webhook_id: id,
      event_types: listEventTypesOfWebhookEvents(events),
      endpoint_url: url,
      description: name,
      active: input.active ?? true,
      sealed_secret: call.processServices.get(webhookServicesKey).seal(secret),
    }
    await writeWebhookEventSubscriptions(tx, settings, now)
    return requireWebhook(tx, { ...scope, creator: null }, id)
  })
  return { ...toWebhook(row), secret }
})
