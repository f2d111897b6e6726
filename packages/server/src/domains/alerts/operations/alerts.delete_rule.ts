import { alertsDeleteRuleOperation } from '@swath/contract/operations/alerts.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { lockRule, requireWritableRule } from '../access.ts'
import { deleteRule } from '../store.ts'

export const handler = defineHandler(alertsDeleteRuleOperation, async (call, input) => {
  const { id } = await requireWritableRule(call, input.rule_id)
  await call.transaction(async (tx) => {
    await lockRule(tx, call, id)
    await deleteRule(tx, call.organization, id)
  })
  return { deleted: true }
})
