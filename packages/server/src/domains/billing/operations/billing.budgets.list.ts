import { billingBudgetsListOperation } from '@swath/contract/operations/billing.budgets.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toNumberedPage, toOffsetPaging } from '../../../engine/page.ts'
import { parseCommaSeparatedList } from '../../../engine/sorted-page.ts'
import { readBudgetScope, readBudgetUsage, toBudget } from '../budgets/budgets.ts'
import { listBudgets } from '../budgets/store.budgets.ts'

export const handler = defineHandler(billingBudgetsListOperation, async (call, input) => {
  const { rows, total } = await listBudgets(call.db, await readBudgetScope(call), {
    statuses: parseCommaSeparatedList(input.status)?.map((status) => status.toUpperCase()) ?? null,
    ascending: input.sort.endsWith(',asc'),
    ...toOffsetPaging(input),
  })
  const usage = input.includeUsage ? await readBudgetUsage(call, rows) : null
  const budgets = rows.map((row) => toBudget(call, row, usage ? (usage.get(row.id) ?? 0) : undefined))
  return toNumberedPage({ rows: budgets, total }, input)
})
