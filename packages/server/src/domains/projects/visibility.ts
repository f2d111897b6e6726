import type { Call } from '../../engine/call.ts'
import { organizationRoleOf } from '../organizations/membership.ts'
import { readableProjects } from './access.ts'
import { liesWithin, type Visible } from '../events/store.projects.ts'

/**
 * For records of a whole organization, such as events and provenance: the query of the projects whose records the caller
 * may read. Null (all) for owners and admins of the organization and for services.
 */
export async function visibleWithin(call: Call): Promise<ReturnType<typeof readableProjects> | null> {
  const role = await organizationRoleOf(call)
  return role === 'owner' || role === 'admin' ? null : readableProjects(call)
}

/** The same as a filter for records without a project column. */
export async function visibilityOf(call: Call): Promise<Visible | null> {
  const projects = await visibleWithin(call)
  return projects && liesWithin(call.organization, projects)
}
