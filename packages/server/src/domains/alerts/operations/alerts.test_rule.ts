import { alertsTestRuleOperation } from '@swath/contract/operations/alerts.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireItem } from '../../items/access.ts'
import { requireReadableAlertRule } from '../access.ts'
import { toAlertMeasureContext } from '../backtest.ts'
import { isAlertComparisonSatisfied } from '../condition.ts'
import { measureItemForAlert } from '../measure-item.ts'

export const handler = defineHandler(alertsTestRuleOperation, async (call, input) => {
  const rule = await requireReadableAlertRule(call, input.rule_id)
  const item = await requireItem(call, input.item_id, 'read')
  const computed_value = await measureItemForAlert(toAlertMeasureContext(call), item.id, rule)
  const { threshold, comparison, expression } = rule
  return {
    computed_value,
    threshold,
    comparison,
    would_trigger: isAlertComparisonSatisfied(rule, computed_value),
    expression,
    item_id: item.id,
  }
})
