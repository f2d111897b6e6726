import { alertsTestRuleOperation } from '@swath/contract/operations/alerts.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireItem } from '../../items/access.ts'
import { requireReadableRule } from '../access.ts'
import { measureContextOf } from '../backtest.ts'
import { isSatisfied } from '../condition.ts'
import { measureItem } from '../measure-item.ts'

export const handler = defineHandler(alertsTestRuleOperation, async (call, input) => {
  const rule = await requireReadableRule(call, input.rule_id)
  const item = await requireItem(call, input.item_id, 'read')
  const computed_value = await measureItem(measureContextOf(call), item.id, rule)
  const { threshold, comparison, expression } = rule
  return {
    computed_value,
    threshold,
    comparison,
    would_trigger: isSatisfied(rule, computed_value),
    expression,
    item_id: item.id,
  }
})
