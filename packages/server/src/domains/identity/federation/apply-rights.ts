import type { Actor } from '../../../engine/actor.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { emitEvent } from '../../events/emit.ts'
import { changeMemberRole, lockMemberForChange } from '../../organizations/change-member.ts'
import { emitStoppedDelegations } from '../../organizations/delegations.ts'
import type { ProviderRow } from '../../organizations/federation/store.providers.ts'
import { replaceProjectMemberships } from '../../projects/project-memberships.ts'
import { listProjectMembershipsOfUser } from '../../projects/store.members.ts'
import { listProjectStates } from '../../projects/store.ts'
import { publishPrincipalChange } from '../principal-changes.ts'
import { chooseMappedProjects, chooseMappedRole } from './mapped-rights.ts'

/** Gives a member the role and the projects of the values, in an unscoped transaction. An owner stays one. True if something changed. */
export async function applyMappedRights(
  tx: Tx,
  actor: Actor,
  {
    provider,
    user,
    values,
  }: { readonly provider: ProviderRow; readonly user: string; readonly values: readonly string[] },
): Promise<boolean> {
  const change = await lockMemberForChange(tx, actor, user)
  const role = chooseMappedRole(provider, values)
  const { member } = change
  const isNewRole = member.role !== 'owner' && member.role !== role
  if (isNewRole) {
    await changeMemberRole(tx, actor, change, role)
    await publishPrincipalChange(tx, `user:${user}`)
  }
  return (await applyMappedProjects(tx, actor, { provider, member, values })) || isNewRole
}

async function applyMappedProjects(
  tx: Tx,
  actor: Actor,
  {
    provider,
    member,
    values,
  }: { provider: ProviderRow; member: { user_id: string; email: string }; values: readonly string[] },
): Promise<boolean> {
  const { organization } = actor
  const { user_id, email } = member
  const current = await listProjectMembershipsOfUser(tx, organization, user_id)
  const wanted = chooseMappedProjects(provider, values, current)
  const ids = [...new Set([...wanted, ...current].map(({ project_id }) => project_id))]
  const open = new Set(
    (await listProjectStates(tx, organization, ids)).flatMap(({ id, is_archived }) => (is_archived ? [] : [id])),
  )
  // An archived project stays as it is; one that was deleted is left out.
  const projects = [
    ...wanted.filter(({ project_id }) => open.has(project_id)),
    ...current.filter(({ project_id }) => !open.has(project_id)),
  ]
  if (!(await replaceProjectMemberships(tx, actor, user_id, projects))) return false
  const data = { user_id, email, projects: projects.map(({ project_id, role }) => ({ project_id, role })) }
  await emitEvent(tx, actor, { kind: 'member.projects_changed', entity_type: 'user', entity_id: user_id, data })
  await emitStoppedDelegations(tx, actor, { user: user_id })
  return true
}
