import { alertsDeleteRuleOperation } from '@swath/contract/operations/alerts.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { lockAlertRule, requireWritableAlertRule } from '../access.ts'
import { deleteAlertRule } from '../store.ts'

export const handler = defineHandler(alertsDeleteRuleOperation, async (call, input) => {
  const { id } = await requireWritableAlertRule(call, input.rule_id)
  await call.transaction(async (tx) => {
    await lockAlertRule(tx, call, id)
    await deleteAlertRule(tx, call.organization, id)
  })
  return { deleted: true }
})
