import { webhooksDeleteOperation } from '@swath/contract/operations/webhooks.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { deleteWebhook } from '../store.ts'
import { requireChangeableWebhook, requireWebhook, resolveWebhookScope } from '../webhook.ts'

export const handler = defineHandler(webhooksDeleteOperation, async (call, input) => {
  const scope = await resolveWebhookScope(call, input.workspace_id)
  await requireChangeableWebhook(call, scope, input.webhook_id)
  const deleted = await call.transaction(async (tx) => {
    const { id } = await requireWebhook(tx, scope, input.webhook_id, true)
    return deleteWebhook(tx, call.organization, id)
  })
  return { deleted }
})
