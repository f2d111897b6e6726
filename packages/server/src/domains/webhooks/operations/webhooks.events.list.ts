import { webhooksEventsListOperation } from '@swath/contract/operations/webhooks.ts'
import { webhookEvents, type WebhookEvent } from '@swath/contract/webhook-events.ts'
import { defineHandler } from '../../../engine/handler.ts'

export const handler = defineHandler(webhooksEventsListOperation, async (call) => ({
  events: (Object.keys(webhookEvents) as WebhookEvent[]).map((name) => {
    const { title, category, description } = webhookEvents[name]
    return { name, title, category, description, documentation: `${call.baseUrl}/docs` }
  }),
}))
