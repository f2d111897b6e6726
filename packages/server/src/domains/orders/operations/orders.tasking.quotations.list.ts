import { ordersTaskingQuotationsListOperation } from '@swath/contract/operations/orders.tasking.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toNumberedPage, toOffsetPaging } from '../../../engine/page.ts'
import { listDecisionProjects, splitList, toQuotation } from '../tasking/decisions.ts'
import { listDecisions, type DecisionFilter, type QuotationRow } from '../tasking/store.decisions.ts'

export const handler = defineHandler(ordersTaskingQuotationsListOperation, async (call, input) => {
  const [field, direction] = input.sort.split(',')
  const { rows, total } = await listDecisions<QuotationRow>(call.db, {
    kind: 'quotation',
    organization: call.organization,
    projects: await listDecisionProjects(call, input.workspaceId ?? null),
    id: input.id ?? null,
    order_id: input.orderId ?? null,
    decisions: splitList(input.decision),
    sort: { by: field as DecisionFilter['sort']['by'], ascending: direction === 'asc' },
    ...toOffsetPaging(input),
  })
  return toNumberedPage({ rows: rows.map(toQuotation), total }, input)
})
