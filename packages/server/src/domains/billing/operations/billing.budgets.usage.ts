import { billingBudgetsUsageOperation } from '@swath/contract/operations/billing.budgets.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readBudgetUsage, requireBudget } from '../budgets/budgets.ts'

export const handler = defineHandler(billingBudgetsUsageOperation, async (call, { budget_id }) => {
  const row = await requireBudget(call, budget_id)
  const usage = await readBudgetUsage(call, [row])
  return { budgetId: row.id, consumedCredits: usage.get(row.id) ?? 0 }
})
