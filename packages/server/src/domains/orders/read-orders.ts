import type { Order } from '@swath/contract/schemas/order.ts'
import type { Call } from '../../engine/call.ts'
import { toOrder } from './order.ts'
import { readTaskingDetails } from './tasking/tasking-details.ts'
import { countOrderCaptures, listCaptureSummaries } from './store.lists.ts'
import { listOrderStatusChanges, type OrderRow } from './store.ts'

/** The captures of an order in a list: enough for its image. */
const max_listed_captures = 4

/** Orders as they are returned, with their history and the first of their captures, or with areas all of them. */
export const readListedOrders = (
  call: Call,
  rows: readonly OrderRow[],
  { withAreas }: { readonly withAreas: boolean },
): Promise<Order[]> => readOrders(call, rows, { max_captures: withAreas ? null : max_listed_captures, withAreas })

/** One order as it is returned, with its history and all of its captures. */
export async function readWholeOrder(call: Call, row: OrderRow): Promise<Order> {
  const [order] = await readOrders(call, [row], { max_captures: null, withAreas: true })
  return order!
}

interface ReadParts {
  /** Null for all, with their areas. */
  readonly max_captures: number | null
  /** The areas of tasking orders. */
  readonly withAreas: boolean
}

async function readOrders(
  call: Call,
  rows: readonly OrderRow[],
  { max_captures, withAreas }: ReadParts,
): Promise<Order[]> {
  const { db, organization } = call
  const ids = rows.map(({ id }) => id)
  const changes = Map.groupBy(await listOrderStatusChanges(db, organization, ids), ({ order_id }) => order_id)
  const captures = await listCaptureSummaries(db, organization, ids, max_captures)
  const capturesByOrder = Map.groupBy(captures, ({ order_id }) => order_id)
  const counts = await countOrderCaptures(db, organization, ids)
  const tasking = await readTaskingDetails(call, rows, withAreas)
  return rows.map((row) =>
    toOrder(row, {
      changes: changes.get(row.id) ?? [],
      captures: capturesByOrder.get(row.id) ?? [],
      capture_count: counts.get(row.id)?.count ?? 0,
      item_count: counts.get(row.id)?.delivered ?? 0,
      tasking: tasking.get(row.id) ?? null,
      now: call.clock.now(),
    }),
  )
}
