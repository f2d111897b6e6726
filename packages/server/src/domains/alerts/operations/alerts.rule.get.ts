import { alertsRuleGetOperation } from '@swath/contract/operations/alerts.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireReadableRule } from '../access.ts'
import { toAlertRule } from '../rule.ts'

export const handler = defineHandler(alertsRuleGetOperation, async (call, input) => ({
  alert_rule: toAlertRule(await requireReadableRule(call, input.rule_id)),
}))
