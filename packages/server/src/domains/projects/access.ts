import type { ProjectRole } from '@swath/contract/shapes/project.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { ProjectRow } from './project.ts'
import {
  findOldestWritable,
  findProject,
  holdProjectOpen,
  listDeletedIds,
  listReadableIds,
  readableAsMember,
  readableIds,
  readsAll,
  type ProjectStanding,
  type Reader,
} from './store.ts'
import { isUuid } from '../../platform/ids.ts'

/** The roles of a user in a project and in its organization. */
export type Standing = Pick<ProjectStanding, 'project_role' | 'organization_role'>

/** The permission that an operation needs in a project. */
export type Need = 'read' | 'write' | 'admin'

type Asking = Pick<Call, 'organization' | 'principal' | 'db'>

const opens: Record<Need, ReadonlySet<ProjectRole>> = {
  read: new Set(['owner', 'admin', 'editor', 'viewer']),
  write: new Set(['owner', 'admin', 'editor']),
  admin: new Set(['owner', 'admin']),
}

const noProject = (id: string): Problem => new Problem('not-found', `No project has the id "${id.slice(0, 100)}".`)

const archived = (): Problem => new Problem('invalid-state', 'The project is archived and cannot be changed.')

/** The reader of projects: a user, the issuer of an API key, or a service, which reads all projects of its organization. */
export const readerOf = (call: Pick<Call, 'organization' | 'principal'>): Reader => ({
  organization: call.organization,
  user: call.principal.user,
  everything: call.principal.kind === 'service',
})

/**
 * The effective role of the caller in the project: owners and admins of the organization are owners of all its projects, an
 * API key has the current role of its issuer. Null for a non-member.
 */
export function standingOf(call: Pick<Call, 'principal'>, project: Standing): ProjectRole | null {
  if (call.principal.kind === 'service') return 'owner'
  // A user who left the organization has no role, whatever rows remain.
  if (project.organization_role === null) return null
  if (project.organization_role === 'owner' || project.organization_role === 'admin') return 'owner'
  return project.project_role
}

/**
 * The project, if the caller has the permission. Throws `not-found` for an unknown id or one of another organization,
 * `not-a-member` if the role is missing or too low, `invalid-state` for anything but reading in an archived project (unless
 * `allowArchived`).
 */
export async function requireProject(
  call: Asking,
  project_id: string,
  need: Need,
  options: { readonly allowArchived?: boolean } = {},
): Promise<ProjectRow> {
  const { project } = await requireStanding(call, project_id, need, options)
  return project
}

/** Like `requireProject`, and returns the role of the caller. */
export async function requireStanding(
  call: Asking,
  project_id: string,
  need: Need,
  options: { readonly allowArchived?: boolean } = {},
): Promise<{ project: ProjectRow; role: ProjectRole }> {
  const found = isUuid(project_id)
    ? await findProject(call.db, call.organization, project_id, call.principal.user)
    : null
  if (!found) throw noProject(project_id)
  const role = checkStanding(call, found, need)
  if (found.is_archived && need !== 'read' && !options.allowArchived) throw archived()
  return { project: found, role }
}

/** The role of the caller; throws `not-a-member` if it is missing or too low for the permission. */
export function checkStanding(call: Pick<Call, 'principal'>, standing: Standing, need: Need): ProjectRole {
  const role = standingOf(call, standing)
  if (role === null) throw new Problem('not-a-member', 'You are not a member of this project.')
  if (opens[need].has(role)) return role
  throw new Problem('not-a-member', `Your role in this project is ${role}, which is too low.`)
}

/**
 * For the transaction that adds something to a project, after `requireProject`: prevents that the project is deleted or
 * archived until the transaction ends. Throws `not-found` or `invalid-state` if that has happened meanwhile.
 */
export async function keepProjectOpen(tx: Tx, call: Pick<Call, 'organization'>, project_id: string): Promise<void> {
  const row = await holdProjectOpen(tx, call.organization, project_id)
  if (!row) throw noProject(project_id)
  if (row.is_archived) throw archived()
}

/** The ids of all projects that the caller may read, including archived ones; sorted by id. */
export const visibleProjects = (call: Asking): Promise<string[]> => listReadableIds(call.db, readerOf(call))

/** The same as a subquery; each table in it is bound to the organization. */
export const readableProjects = (call: Asking) => readableIds(readerOf(call))

/** The same for a statement that omits the filter if all projects are readable. Deleted projects only have tombstones. */
export const searchedProjects = (call: Asking) => {
  const reader = readerOf(call)
  return { all: readsAll(reader), ids: readableAsMember(reader) }
}

/** The ids of all deleted projects of the organization, whoever could read them; paid records keep them. */
export const deletedProjects = (call: Asking): Promise<string[]> => listDeletedIds(call.db, call.organization)

/** The oldest project that the caller may write to and that is not archived. */
export const firstWritableProject = (call: Asking): Promise<ProjectRow | null> =>
  findOldestWritable(call.db, readerOf(call))
