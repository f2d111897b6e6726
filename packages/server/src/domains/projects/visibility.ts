import type { Call } from '../../engine/call.ts'
import { organizationRoleOf } from '../organizations/membership.ts'
import { readableProjects } from './access.ts'
import { liesWithin, type Visible } from '../provenance/store.projects.ts'

/**
 * For records of a whole organization, such as events and lineage: what of them the caller may see. Null for owners and
 * admins of the organization and for services, who see all; for everybody else what lies in the projects that they may
 * read.
 */
export async function visibilityOf(call: Call): Promise<Visible | null> {
  const role = await organizationRoleOf(call)
  if (role === 'owner' || role === 'admin') return null
  return liesWithin(call.organization, readableProjects(call))
}
