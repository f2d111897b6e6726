import { alertsRuleGetOperation } from '@swath/contract/operations/alerts.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireReadableAlertRule } from '../access.ts'
import { toAlertRule } from '../rule.ts'

export const handler = defineHandler(alertsRuleGetOperation, async (call, input) => ({
  alert_rule: toAlertRule(await requireReadableAlertRule(call, input.rule_id)),
}))
