import { webhooksListOperation } from '@swath/contract/operations/webhooks.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { listWebhooks } from '../store.ts'
import { toWebhook, resolveWebhookScope } from '../webhook.ts'

export const handler = defineHandler(webhooksListOperation, async (call, input) => {
  const rows = await listWebhooks(call.db, await resolveWebhookScope(call, input.workspace_id))
  return { webhooks: rows.map(toWebhook), limit: rows.length, offset: 0, total: rows.length }
})
