import { ordersTaskingDecisionsPendingOperation } from '@swath/contract/operations/orders.tasking.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { numberedPageOf, toOffsetPaging } from '../../../engine/page.ts'
import { listDecisionProjects, splitList, toPendingDecision } from '../tasking/decisions.ts'
import { listPendingDecisions } from '../tasking/store.decisions.ts'

export const listDecisions = defineHandler(ordersTaskingDecisionsPendingOperation, async (call, input) => {
  const { rows, total } = await listPendingDecisions(call.db, {
    organization: call.organization,
    projects: await listDecisionProjects(call, input.workspaceId ?? null),
    kinds: splitList(input.kinds) ?? ['feasibility', 'quotation'],
    now: call.clock.now(),
    ...toOffsetPaging(input),
  })
  return numberedPageOf({ rows: rows.map(toPendingDecision), total }, input)
})
