import { webhooksTestOperation } from '@swath/contract/operations/webhooks.ts'
import { webhookEvents, type WebhookEvent } from '@swath/contract/webhook-events.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { sendWebhookTests } from '../../event_subscriptions/send-test-event.ts'
import { requireChangeableWebhook, resolveWebhookScope } from '../webhook.ts'

export const handler = defineHandler(webhooksTestOperation, async (call, input) => {
  const scope = await resolveWebhookScope(call, input.workspace_id)
  const { id, events } = await requireChangeableWebhook(call, scope, input.webhook_id)
  const startedAt = call.clock.now().toISOString()
  const types = events.map((event) => webhookEvents[event as WebhookEvent].tested_type)
  const results = await sendWebhookTests(call, id, types)
  return {
    startedAt,
    testsRun: results.length,
    testsSucceeded: results.filter(({ is_delivered }) => is_delivered).length,
  }
})
