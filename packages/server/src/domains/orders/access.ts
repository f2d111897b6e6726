import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { getOrganizationRole } from '../organizations/membership.ts'
import { listDeletedProjectIds, listReadableProjectIds, requireProject } from '../projects/access.ts'
import { requireWorkspace } from '../projects/workspace.ts'
import type { OrderFilter } from './store.lists.ts'
import { findOrder, type OrderRow } from './store.ts'

/** The order, if the caller has the permission in its project, or placed it in a project that was deleted since. */
export async function requireOrder(call: Call, order_id: string, permission: 'read' | 'write'): Promise<OrderRow> {
  const order = await findOrder(call.db, call.organization, order_id)
  if (!order) throw new Problem('not-found', `No order has the id "${order_id}".`)
  try {
    // Orders of archived projects can be read and cancelled: their holds are still open.
    await requireProject(call, order.project_id, permission, { allowArchived: true })
  } catch (error) {
    // The project existed when the order was placed, so not-found means it was deleted.
    if (!(error instanceof Problem) || error.problem !== 'not-found') throw error
    await requireReadAfterDeletion(call, order)
  }
  return order
}

/** An order for billing purposes, whoever may read its project. */
export const findOrderForBilling = (
  call: Pick<Call, 'db' | 'organization'>,
  order_id: string,
): Promise<OrderRow | null> => findOrder(call.db, call.organization, order_id)

/** Paid orders stay readable after their project is deleted. Throws `not-a-member`. */
async function requireReadAfterDeletion(call: Call, order: OrderRow): Promise<void> {
  const placed_by = await deletedProjectReader(call)
  if (placed_by === null || order.created_by === placed_by) return
  throw new Problem('not-a-member', 'The project of this order was deleted, and you did not place it.')
}

/**
 * The principal whose orders of deleted projects the caller may read: null (all) for an owner or admin of the organization
 * or a service, else the caller; for an API key, its issuer. A user who left the organization reads none.
 */
async function deletedProjectReader(call: Call): Promise<string | null> {
  const role = await getOrganizationRole(call)
  if (role === 'owner' || role === 'admin') return null
  return role === null ? '' : (call.principal.user ?? '')
}

/** The filter for the orders that the caller may read, of one project or of all. */
export async function buildReadableOrderFilter(
  call: Call,
  project_id: string | null,
): Promise<Pick<OrderFilter, 'projects' | 'deleted'>> {
  const deletedProjectIds = await listDeletedProjectIds(call)
  const placed_by = deletedProjectIds.length === 0 ? null : await deletedProjectReader(call)
  if (project_id === null) {
    return { projects: await listReadableProjectIds(call), deleted: { projects: deletedProjectIds, placed_by } }
  }
  const requestedId = project_id.toLowerCase()
  if (deletedProjectIds.includes(requestedId)) return { projects: [], deleted: { projects: [requestedId], placed_by } }
  const { id } = await requireWorkspace(call, project_id, 'read')
  return { projects: [id], deleted: { projects: [], placed_by } }
}
