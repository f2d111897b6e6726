import type { Call } from '../../engine/call.ts'
import { getOrganizationRole } from '../organizations/membership.ts'
import { readableProjectsSql } from './access.ts'
import { entityInProjectsCondition, type EntityVisibilityCondition } from '../events/store.projects.ts'

/**
 * The query of the projects whose records, such as events and provenance, the caller may read. Null (all) for owners
 * and admins of the organization and for services.
 */
export async function visibleProjectsSql(call: Call): Promise<ReturnType<typeof readableProjectsSql> | null> {
  const role = await getOrganizationRole(call)
  return role === 'owner' || role === 'admin' ? null : readableProjectsSql(call)
}

/** The same as a filter for records without a project column. */
export async function toVisibleRecordFilter(call: Call): Promise<EntityVisibilityCondition | null> {
  const projects = await visibleProjectsSql(call)
  return projects && entityInProjectsCondition(call.organization, projects)
}
