import { ordersListOperation } from '@swath/contract/operations/orders.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toNumberedPage, toOffsetPaging } from '../../../engine/page.ts'
import { buildReadableOrderFilter } from '../access.ts'
import { readListedOrders } from '../read-orders.ts'
import { listOrders, type OrderFilter } from '../store.lists.ts'

const splitList = (text: string | null | undefined): string[] | null =>
  text === null || text === undefined
    ? null
    : text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')

/** Both spellings are accepted. */
const normalizeStatus = (part: string): string => (part.toUpperCase() === 'CANCELLED' ? 'CANCELED' : part.toUpperCase())

export const handler = defineHandler(ordersListOperation, async (call, input) => {
  const readable = await buildReadableOrderFilter(call, input.workspaceId ?? null)
  const [field, direction] = input.sort.split(',')
  const { rows, total } = await listOrders(call.db, {
    organization: call.organization,
    ...readable,
    types: splitList(input.type)?.map((part) => part.toLowerCase()) ?? null,
    statuses: splitList(input.status)?.map(normalizeStatus) ?? null,
    sub_statuses: splitList(input.subStatus)?.map((part) => part.toUpperCase()) ?? null,
    products: splitList(input.dataProductIds),
    ids: splitList(input.orderIds)?.map((id) => id.toLowerCase()) ?? null,
    tags: splitList(input.tags),
    budgets: splitList(input.budgetIds)?.map((id) => id.toLowerCase()) ?? null,
    name: input.displayName ?? null,
    sort: { by: field as OrderFilter['sort']['by'], ascending: direction === 'asc' },
    ...toOffsetPaging(input),
  })
  const orders = await readListedOrders(call, rows, { withAreas: input.include_areas })
  return toNumberedPage({ rows: orders, total }, input)
})
