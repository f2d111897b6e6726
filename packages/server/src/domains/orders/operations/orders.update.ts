import { ordersUpdateOperation } from '@swath/contract/operations/orders.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { requireBudget } from '../../billing/budgets/budgets.ts'
import { requireOrder } from '../access.ts'
import { readWholeOrder } from '../read-orders.ts'
import { updateOrderLabels } from '../store.ts'

export const handler = defineHandler(ordersUpdateOperation, async (call, input) => {
  const order = await requireOrder(call, input.order_id, 'write')
  const { displayName, tags, budgetId } = input
  if (budgetId && ![order.project_id, order.created_by].includes(budgetId)) {
    await requireBudget(call, budgetId)
    throw new Problem(
      'invalid-state',
      'An order stays in the budget of its project: it cannot be moved to another one.',
    )
  }
  const updated = await updateOrderLabels(call.db, call.organization, order.id, {
    display_name: displayName ?? null,
    tags: tags === undefined ? null : [...new Set(tags ?? [])],
    updated_at: call.clock.now(),
  })
  return readWholeOrder(call, updated)
})
