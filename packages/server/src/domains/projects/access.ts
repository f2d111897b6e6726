import { projectRolesByPermission, type ProjectPermission, type ProjectRole } from '@swath/contract/schemas/project.ts'
import type { Call, Principal } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { ProjectRow } from './project.ts'
import {
  findOldestWritableProject,
  findProject,
  lockProjectWithShareLock,
  listIdsOfDeletedProjects,
  listIdsOfReadableProjects,
  memberProjectIdsSql,
  readableProjectIdsSql,
  readsAllProjectsSql,
  type ProjectWithRoles,
  type ProjectReadAccess,
} from './store.ts'
import { isUuid } from '../../platform/ids.ts'

/** The roles of a user in a project and in its organization. */
export type ProjectRoles = Pick<ProjectWithRoles, 'project_role' | 'organization_role'>

type ProjectCall = Pick<Call, 'organization' | 'principal' | 'db'>

const unknownProjectProblem = (id: string): Problem =>
  new Problem('not-found', `No project has the id "${id.slice(0, 100)}".`)

const archivedProblem = (): Problem => new Problem('invalid-state', 'The project is archived and cannot be changed.')

/** The reader of projects: a user, the issuer of an API key, or a service, which reads all projects of its organization. */
export const toProjectReadAccess = (call: Pick<Call, 'organization' | 'principal'>): ProjectReadAccess => ({
  organization: call.organization,
  user: call.principal.user,
  everything: call.principal.kind === 'service',
})

/**
 * The effective role of the caller in the project: owners and admins of the organization are owners of all its projects, an
 * API key has the current role of its issuer. Null for a non-member.
 */
export function findEffectiveProjectRole(call: Pick<Call, 'principal'>, project: ProjectRoles): ProjectRole | null {
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
  call: ProjectCall,
  project_id: string,
  permission: ProjectPermission,
  options: { readonly allowArchived?: boolean } = {},
): Promise<ProjectRow> {
  const { project } = await requireProjectRole(call, project_id, permission, options)
  return project
}

/** Like `requireProject`, and returns the role of the caller. */
export async function requireProjectRole(
  call: ProjectCall,
  project_id: string,
  permission: ProjectPermission,
  options: { readonly allowArchived?: boolean } = {},
): Promise<{ project: ProjectRow; role: ProjectRole }> {
  const projectRow = isUuid(project_id)
    ? await findProject(call.db, call.organization, project_id, call.principal.user)
    : null
  if (!projectRow) throw unknownProjectProblem(project_id)
  const role = requireProjectRoleFor(call, projectRow, permission)
  if (projectRow.is_archived && permission !== 'read' && !options.allowArchived) throw archivedProblem()
  return { project: projectRow, role }
}

/** The role of the caller; throws `not-a-member` if it is missing or too low for the permission. */
export function requireProjectRoleFor(
  call: Pick<Call, 'principal'>,
  roles: ProjectRoles,
  permission: ProjectPermission,
): ProjectRole {
  const role = findEffectiveProjectRole(call, roles)
  if (role === null) throw new Problem('not-a-member', 'You are not a member of this project.')
  if ((projectRolesByPermission[permission] as readonly ProjectRole[]).includes(role)) return role
  throw new Problem('not-a-member', `Your role in this project is ${role}, which is too low.`)
}

/**
 * Prevents that the project is deleted or archived until the transaction ends: for one that adds something to the
 * project, after `requireProject`. Throws `not-found` or `invalid-state` if that has happened meanwhile.
 */
export async function lockOpenProject(tx: Tx, call: Pick<Call, 'organization'>, project_id: string): Promise<void> {
  const row = await lockProjectWithShareLock(tx, call.organization, project_id)
  if (!row) throw unknownProjectProblem(project_id)
  if (row.is_archived) throw archivedProblem()
}

/** The ids of all projects that the caller may read, including archived ones; sorted by id. */
export const listReadableProjectIds = (call: ProjectCall): Promise<string[]> =>
  listIdsOfReadableProjects(call.db, toProjectReadAccess(call))

/** The same as a subquery; each table in it is bound to the organization. */
export const readableProjectsSql = (call: ProjectCall) => readableProjectIdsSql(toProjectReadAccess(call))

/** Uses the role when the token was looked up, which may have changed: only to choose a statement that checks it. */
const presumablyReadsAllProjects = ({ kind, role, issuer_role = null }: Principal): boolean =>
  kind === 'service' || ['owner', 'admin'].includes(role ?? issuer_role ?? '')

/** The same for a statement that omits the filter if all projects are readable. Deleted projects only have tombstones. */
export const toSearchableProjectsSql = (call: ProjectCall) => {
  const reader = toProjectReadAccess(call)
  return {
    all: readsAllProjectsSql(reader),
    ids: memberProjectIdsSql(reader),
    presumesAll: presumablyReadsAllProjects(call.principal),
  }
}

/** The ids of all deleted projects of the organization, whoever could read them; paid records keep them. */
export const listDeletedProjectIds = (call: ProjectCall): Promise<string[]> =>
  listIdsOfDeletedProjects(call.db, call.organization)

/** The oldest project that the caller may write to and that is not archived. */
export const findFirstWritableProject = (call: ProjectCall): Promise<ProjectRow | null> =>
  findOldestWritableProject(call.db, toProjectReadAccess(call))
