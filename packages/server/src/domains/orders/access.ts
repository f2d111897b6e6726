import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { organizationRoleOf } from '../organizations/membership.ts'
import { deletedProjects, requireProject, visibleProjects } from '../projects/access.ts'
import type { OrderFilter } from './store.lists.ts'
import { findOrder, type OrderRow } from './store.ts'

/** The order, when the caller may read or change what is in its project, or placed it in one that was deleted. */
export async function requireOrder(call: Call, order_id: string, need: 'read' | 'write'): Promise<OrderRow> {
  const order = await findOrder(call.db, call.organization, order_id)
  if (!order) throw new Problem('not-found', `No order has the id "${order_id}".`)
  try {
    // An order can be read and cancelled in an archived project, too: its money is still moving.
    await requireProject(call, order.project_id, need, { allowArchived: true })
  } catch (error) {
    // An order names a project that was there: it can only have been deleted.
    if (!(error instanceof Problem) || error.problem !== 'not-found') throw error
    await requireRecord(call, order)
  }
  return order
}

/** An order of the organization as its money knows it, whoever may see what is in its project. */
export const orderOnRecord = (call: Pick<Call, 'db' | 'organization'>, order_id: string): Promise<OrderRow | null> =>
  findOrder(call.db, call.organization, order_id)

/** What was paid for stays on record when its project is gone. Throws `not-a-member`. */
async function requireRecord(call: Call, order: OrderRow): Promise<void> {
  const placed_by = await readerOfRecords(call)
  if (placed_by === null || order.created_by === placed_by) return
  throw new Problem('not-a-member', 'The project of this order was deleted, and you did not place it.')
}

/**
 * Whose orders of deleted projects the caller reads: everybody's (null) as an owner or admin of the organization or as
 * a service, else its own; an API key reads what its issuer does. Whoever left the organization has placed nothing here.
 */
async function readerOfRecords(call: Call): Promise<string | null> {
  const role = await organizationRoleOf(call)
  if (role === 'owner' || role === 'admin') return null
  return role === null ? '' : (call.principal.user ?? '')
}

/** The orders that the caller may read, of one project or of all of them, as a filter has it. */
export async function readableOrders(
  call: Call,
  project_id: string | null,
): Promise<Pick<OrderFilter, 'projects' | 'deleted'>> {
  const gone = await deletedProjects(call)
  const placed_by = gone.length === 0 ? null : await readerOfRecords(call)
  if (project_id === null) {
    return { projects: await visibleProjects(call), deleted: { projects: gone, placed_by } }
  }
  const asked = project_id.toLowerCase()
  if (gone.includes(asked)) return { projects: [], deleted: { projects: [asked], placed_by } }
  const { id } = await requireProject(call, project_id, 'read')
  return { projects: [id], deleted: { projects: [], placed_by } }
}
