import { alertsBacktestRuleOperation } from '@swath/contract/operations/alerts.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { validationProblem, type FieldError } from '../../../engine/problem.ts'
import { parseSearchInterval } from '../../items/search/search.ts'
import { readableProjectsSql } from '../../projects/access.ts'
import { requireReadableAlertRule } from '../access.ts'
import { backtestAlertRule } from '../backtest.ts'
import { listBacktestedItems } from '../store.items.ts'

export const handler = defineHandler(alertsBacktestRuleOperation, async (call, input) => {
  const rule = await requireReadableAlertRule(call, input.rule_id)
  const errors: FieldError[] = []
  const interval = parseSearchInterval(input.datetime, errors)
  if (errors.length > 0) throw validationProblem(errors)
  const items = await listBacktestedItems(call.db, {
    organization: call.organization,
    rule,
    projects: readableProjectsSql(call),
    ...interval,
    limit: input.limit + 1,
    now: call.clock.now(),
  })
  const { results, isCut } = await backtestAlertRule(call, rule, items.slice(0, input.limit))
  return {
    rule_id: rule.id,
    results,
    evaluated_count: results.length,
    triggered_count: results.filter(({ outcome }) => outcome === 'triggered').length,
    truncated: isCut || items.length > input.limit,
  }
})
