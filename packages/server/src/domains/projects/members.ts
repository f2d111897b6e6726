import type { ProjectMember, ProjectRole } from '@swath/contract/schemas/project.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockProjectForUpdate } from './store.ts'
import { countProjectOwners, findProjectMember, type ProjectMemberRow } from './store.members.ts'

/** The representation of a project member. */
export const toProjectMember = (row: ProjectMemberRow): ProjectMember => ({
  project_id: row.project_id,
  user_id: row.user_id,
  email: row.email,
  name: row.name,
  role: row.role,
  created_at: row.created_at.toISOString(),
})

/** The role of an input; `member` is an alias of `editor`. */
export const normalizeProjectRole = (role: ProjectRole | 'member'): ProjectRole => (role === 'member' ? 'editor' : role)

/** Throws `forbidden` if a caller who is not an owner grants or revokes the role owner. */
export function requireOwnerToAssignOwner(caller: ProjectRole, ...roles: readonly ProjectRole[]): void {
  if (caller !== 'owner' && roles.includes('owner')) {
    throw new Problem('forbidden', 'Only an owner can grant or revoke the role owner.')
  }
}

/** Locks the members of the project, so that two calls cannot each remove the other's last owner. */
export async function lockProjectMembers(tx: Tx, call: Pick<Call, 'organization'>, project_id: string): Promise<void> {
  const exists = await lockProjectForUpdate(tx, call.organization, project_id)
  if (!exists) throw new Problem('not-found', `No project has the id "${project_id}".`)
}

/** The member; throws `not-found`. */
export async function requireProjectMember(
  tx: Tx,
  call: Pick<Call, 'organization'>,
  project_id: string,
  user: string,
): Promise<ProjectMemberRow> {
  const member = await findProjectMember(tx, call.organization, project_id, user)
  if (!member) throw new Problem('not-found', `No member of the project has the id "${user}".`)
  return member
}

/** Throws `invalid-state` if this owner is the last one. */
export async function requireOtherProjectOwner(
  tx: Tx,
  call: Pick<Call, 'organization'>,
  member: ProjectMemberRow,
): Promise<void> {
  if (member.role !== 'owner') return
  if ((await countProjectOwners(tx, call.organization, member.project_id)) <= 1) {
    throw new Problem('invalid-state', 'The project would have no owner; make another member the owner first.')
  }
}
