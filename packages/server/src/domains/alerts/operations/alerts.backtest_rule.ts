import { alertsBacktestRuleOperation } from '@swath/contract/operations/alerts.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { validationProblem, type FieldError } from '../../../engine/problem.ts'
import { parseSearchInterval } from '../../items/search/search.ts'
import { readableProjectsSql } from '../../projects/access.ts'
import { requireReadableRule } from '../access.ts'
import { backtest } from '../backtest.ts'
import { listPastItems } from '../store.items.ts'

export const handler = defineHandler(alertsBacktestRuleOperation, async (call, input) => {
  const rule = await requireReadableRule(call, input.rule_id)
  const errors: FieldError[] = []
  const interval = parseSearchInterval(input.datetime, errors)
  if (errors.length > 0) throw validationProblem(errors)
  const items = await listPastItems(call.db, {
    organization: call.organization,
    rule,
    projects: readableProjectsSql(call),
    ...interval,
    limit: input.limit + 1,
    now: call.clock.now(),
  })
  const { results, isCut } = await backtest(call, rule, items.slice(0, input.limit))
  return {
    rule_id: rule.id,
    results,
    evaluated_count: results.length,
    triggered_count: results.filter(({ outcome }) => outcome === 'triggered').length,
    truncated: isCut || items.length > input.limit,
  }
})
