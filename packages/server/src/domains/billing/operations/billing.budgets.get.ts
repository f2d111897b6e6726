import { billingBudgetsGetOperation } from '@swath/contract/operations/billing.budgets.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readBudgetUsage, requireBudget, toBudget } from '../budgets/budgets.ts'

export const handler = defineHandler(billingBudgetsGetOperation, async (call, { budget_id, includeUsage }) => {
  const row = await requireBudget(call, budget_id)
  const usage = includeUsage ? await readBudgetUsage(call, [row]) : null
  return toBudget(call, row, usage ? (usage.get(row.id) ?? 0) : undefined)
})
