import type { Call } from '../../engine/call.ts'
import { organizationRoleOf } from '../organizations/membership.ts'
import { readableProjects } from './access.ts'
import { liesWithin, type Visible } from '../events/store.projects.ts'

/**
 * For records of a whole organization, such as events and lineage: the projects, as a query, whose records the caller may
 * see. Null for owners and admins of the organization and for services, who see all.
 */
export async function visibleWithin(call: Call): Promise<ReturnType<typeof readableProjects> | null> {
  const role = await organizationRoleOf(call)
  return role === 'owner' || role === 'admin' ? null : readableProjects(call)
}

/** The same as the test of what a record is about, where the record does not say its project. */
export async function visibilityOf(call: Call): Promise<Visible | null> {
  const projects = await visibleWithin(call)
  return projects && liesWithin(call.organization, projects)
}
