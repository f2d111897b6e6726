import type { ProjectMembership, ProjectMembershipInput } from '@swath/contract/schemas/people/invitation.ts'
import type { Actor } from '../../engine/actor.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { lockProjectMembers, normalizeProjectRole, requireOtherProjectOwner, requireProjectMember } from './members.ts'
import { listProjectStates } from './store.ts'
import {
  deleteProjectMember,
  insertProjectMember,
  listProjectMembershipsOfUser,
  updateProjectMember,
} from './store.members.ts'

/**
 * The projects and roles that a request names. Throws `validation` for a project that is named twice, `not-found` for one that does not
 * exist, and `invalid-state` for an archived one.
 */
export async function readProjectMemberships(
  db: SqlStatementRunner,
  organization: string,
  inputs: readonly ProjectMembershipInput[],
): Promise<ProjectMembership[]> {
  const memberships = inputs.map(({ project_id, role }) => ({
    project_id: project_id.toLowerCase(),
    role: normalizeProjectRole(role),
  }))
  const ids = memberships.map(({ project_id }) => project_id)
  if (new Set(ids).size < ids.length) throw validationProblem([{ path: 'projects', message: 'names a project twice' }])
  const states = new Map((await listProjectStates(db, organization, ids)).map((row) => [row.id, row.is_archived]))
  for (const id of ids) {
    const isArchived = states.get(id)
    if (isArchived === undefined) throw new Problem('not-found', `No project has the id "${id}".`)
    if (isArchived) throw new Problem('invalid-state', `The project "${id}" is archived and cannot be changed.`)
  }
  return memberships
}

/** Gives a new member its projects; those that were deleted since the member was invited are left out, and not returned. */
export async function joinProjects(
  tx: Tx,
  organization: string,
  { user_id, projects, now }: { user_id: string; projects: readonly ProjectMembership[]; now: OrganizationTime },
): Promise<ProjectMembership[]> {
  const ids = projects.map(({ project_id }) => project_id)
  const existing = new Set((await listProjectStates(tx, organization, ids)).map(({ id }) => id))
  const joined = projects.filter(({ project_id }) => existing.has(project_id))
  for (const { project_id, role } of joined)
    await insertProjectMember(tx, { organization_id: organization, project_id, user_id, role, created_at: now })
  return joined
}

/**
 * Replaces all project memberships of a member. False if nothing changed. Throws `invalid-state` if a project would have no owner any
 * more. Projects are locked in the order of their ids, as two calls at once would otherwise wait for each other.
 */
export async function replaceProjectMemberships(
  tx: Tx,
  actor: Pick<Actor, 'organization' | 'clock'>,
  user_id: string,
  wanted: readonly ProjectMembership[],
): Promise<boolean> {
  const { organization, clock } = actor
  const roles = new Map(wanted.map(({ project_id, role }) => [project_id, role]))
  const current = await listProjectMembershipsOfUser(tx, organization, user_id)
  const currentRoles = new Map(current.map(({ project_id, role }) => [project_id, role]))
  const changed = [...new Set([...roles.keys(), ...currentRoles.keys()])]
    .filter((project_id) => roles.get(project_id) !== currentRoles.get(project_id))
    .sort()
  const time = clock.now()
  for (const project_id of changed) {
    await lockProjectMembers(tx, actor, project_id)
    const role = roles.get(project_id)
    const row = { organization_id: organization, project_id, user_id, role: role ?? 'viewer' } as const
    if (currentRoles.has(project_id) && role !== 'owner') {
      const member = await requireProjectMember(tx, actor, project_id, user_id)
      await requireOtherProjectOwner(tx, actor, member)
    }
    if (role === undefined) await deleteProjectMember(tx, organization, project_id, user_id)
    else if (currentRoles.has(project_id)) await updateProjectMember(tx, { ...row, updated_at: time })
    else await insertProjectMember(tx, { ...row, created_at: time })
  }
  return changed.length > 0
}
