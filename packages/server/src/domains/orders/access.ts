import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { requireProject } from '../projects/access.ts'
import { findOrder, type OrderRow } from './store.ts'

/** The order, when the caller may read or change what is in its project. */
export async function requireOrder(call: Call, order_id: string, need: 'read' | 'write'): Promise<OrderRow> {
  const order = await findOrder(call.db, call.organization, order_id)
  if (!order) throw new Problem('not-found', `No order has the id "${order_id}".`)
  // An order can be read and cancelled in an archived project, too: its money is still moving.
  await requireProject(call, order.project_id, need, { allowArchived: true })
  return order
}
