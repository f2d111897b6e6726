import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { getOrganizationRole } from '../organizations/membership.ts'
import { requireProject } from './access.ts'

/**
 * Requires access to records that outlive a project, such as provenance: for readers of the project and, after its
 * deletion, for owners and admins of the organization. Throws `not-a-member`.
 */
export async function requireProjectRecords(call: Call, project_id: string): Promise<void> {
  try {
    await requireProject(call, project_id, 'read', { allowArchived: true })
  } catch (error) {
    // The project existed when the record was written, so not-found means it was deleted.
    if (!(error instanceof Problem) || error.problem !== 'not-found') throw error
    const role = await getOrganizationRole(call)
    if (role === 'owner' || role === 'admin') return
    throw new Problem('not-a-member', 'The project was deleted; only owners and admins can read its records.')
  }
}
