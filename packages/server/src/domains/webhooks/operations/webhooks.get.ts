import { webhooksGetOperation } from '@swath/contract/operations/webhooks.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireWebhook, toWebhook, resolveWebhookScope } from '../webhook.ts'

export const handler = defineHandler(webhooksGetOperation, async (call, input) =>
  toWebhook(await requireWebhook(call.db, await resolveWebhookScope(call, input.workspace_id), input.webhook_id)),
)
