import { ordersTaskingQuotationsListOperation } from '@swath/contract/operations/orders.tasking.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toNumberedPage, toOffsetPaging } from '../../../engine/page.ts'
import { listDecisionProjects, splitCommaSeparatedList, toQuotation } from '../tasking/decisions.ts'
import { listTaskingDecisions, type TaskingDecisionFilter, type QuotationRow } from '../tasking/store.decisions.ts'

export const handler = defineHandler(ordersTaskingQuotationsListOperation, async (call, input) => {
  const [field, direction] = input.sort.split(',')
  const { rows, total } = await listTaskingDecisions<QuotationRow>(call.db, {
    kind: 'quotation',
    organization: call.organization,
    projects: await listDecisionProjects(call, input.workspaceId ?? null),
    id: input.id ?? null,
    order_id: input.orderId ?? null,
    decisions: splitCommaSeparatedList(input.decision),
    sort: { by: field as TaskingDecisionFilter['sort']['by'], ascending: direction === 'asc' },
    ...toOffsetPaging(input),
  })
  return toNumberedPage({ rows: rows.map(toQuotation), total }, input)
})
