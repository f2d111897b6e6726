import { ordersList } from '@swath/contract/operations/orders.ts'
import { handler } from '../../engine/handler.ts'
import { readableOrders } from './access.ts'
import { wireOrder } from './order.ts'
import { countDelivered, listOrders, type OrderFilter } from './store.lists.ts'
import { listChanges } from './store.ts'

const words = (text: string | null | undefined): string[] | null =>
  text === null || text === undefined
    ? null
    : text
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '')

/** Both spellings are accepted. */
const statusOf = (word: string): string => (word.toUpperCase() === 'CANCELLED' ? 'CANCELED' : word.toUpperCase())

export const listOrdersOfCaller = handler(ordersList, async (call, input) => {
  const readable = await readableOrders(call, input.workspaceId ?? null)
  const [by, direction] = input.sort.split(',')
  const { rows, total } = await listOrders(call.db, {
    organization: call.organization,
    ...readable,
    types: words(input.type)?.map((word) => word.toLowerCase()) ?? null,
    statuses: words(input.status)?.map(statusOf) ?? null,
    sub_statuses: words(input.subStatus)?.map((word) => word.toUpperCase()) ?? null,
    products: words(input.dataProductIds),
    ids: words(input.orderIds)?.map((id) => id.toLowerCase()) ?? null,
    tags: words(input.tags),
    name: input.displayName ?? null,
    sort: { by: by as OrderFilter['sort']['by'], ascending: direction === 'asc' },
    limit: input.size,
    offset: input.page * input.size,
  })
  const ids = rows.map((row) => row.id)
  const changes = Map.groupBy(await listChanges(call.db, call.organization, ids), (change) => change.order_id)
  const delivered = await countDelivered(call.db, call.organization, ids)
  return {
    content: rows.map((row) => wireOrder(row, changes.get(row.id) ?? [], delivered.get(row.id) ?? 0)),
    last: (input.page + 1) * input.size >= total,
    totalElements: total,
    totalPages: Math.max(1, Math.ceil(total / input.size)),
    size: input.size,
    page: input.page,
  }
})
