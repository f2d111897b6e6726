import { ordersTaskingDecisionsPendingOperation } from '@swath/contract/operations/orders.tasking.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toNumberedPage, toOffsetPaging } from '../../../engine/page.ts'
import { listDecisionProjects, splitCommaSeparatedList, toPendingTaskingDecision } from '../tasking/decisions.ts'
import { listPendingDecisions, listOrderNames } from '../tasking/store.decisions.ts'

export const handler = defineHandler(ordersTaskingDecisionsPendingOperation, async (call, input) => {
  const { rows, total } = await listPendingDecisions(call.db, {
    organization: call.organization,
    projects: await listDecisionProjects(call, input.workspaceId ?? null),
    kinds: splitCommaSeparatedList(input.kinds) ?? ['feasibility', 'quotation'],
    now: call.clock.now(),
    ...toOffsetPaging(input),
  })
  const names = await listOrderNames(
    call.db,
    call.organization,
    rows.map(({ order_id }) => order_id),
  )
  const decisions = rows.map((row) => toPendingTaskingDecision(row, names.get(row.order_id) ?? ''))
  return toNumberedPage({ rows: decisions, total }, input)
})
