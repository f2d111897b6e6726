import type { OrganizationRole } from '@swath/contract/schemas/member.ts'
import { organizationPermissions } from '@swath/contract/access.ts'
import type { Actor } from '../../engine/actor.ts'
import { assertInvariant, Problem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { emitEvent } from '../events/emit.ts'
import { emitStoppedDelegations } from './delegations.ts'
import { revokeInvitationsOf } from './invitations/invitation.ts'
import { createUnknownMemberProblem, requireAuthorityOver } from './membership.ts'
import { lockOwnersAndMembers, updateMemberRole, type LockedMember } from './store.members.ts'
import { findMembership, type MemberRow } from './store.ts'

/** A member with everybody who matters for a change of it, all of them locked. */
export interface MemberForChange {
  readonly member: LockedMember
  /** The owners of the organization, and the member. */
  readonly locked: readonly LockedMember[]
}

/**
 * Locks a member, the caller and the owners. Throws `not-found`, and `forbidden` for a member of a higher role than the caller has
 * by then.
 */
export async function lockMemberForChange(tx: Tx, actor: Actor, user: string): Promise<MemberForChange> {
  const { organization, principal } = actor
  const others = principal.user === null ? [] : [principal.user]
  const locked = await lockOwnersAndMembers(tx, organization, [user, ...others])
  const member = locked.find(({ user_id }) => user_id === user.toLowerCase())
  if (!member) throw createUnknownMemberProblem(user)
  // Read once more under the lock: the member may have got a higher role since.
  await requireAuthorityOver({ organization, principal, db: tx }, member.user_id)
  return { member, locked }
}

/**
 * Throws `invalid-state` if the member is the only owner who can act. An owner who was disabled is none: an organization without one can
 * manage what such an owner has left, and an operator adds another.
 */
export function requireOtherOwner({ member, locked }: MemberForChange): void {
  const isActiveOwner = ({ role, disabled_at }: LockedMember): boolean => role === 'owner' && disabled_at === null
  if (!isActiveOwner(member)) return
  if (locked.some((other) => other.user_id !== member.user_id && isActiveOwner(other))) return
  throw new Problem('invalid-state', 'The organization would have no owner; make another member the owner first.')
}

const mayInvite = (role: OrganizationRole): boolean => organizationPermissions.administer.roles.includes(role)

/** Changes the role of a member, with what follows from it. Returns the member. */
export async function changeMemberRole(
  tx: Tx,
  actor: Actor,
  { member, locked }: MemberForChange,
  role: OrganizationRole,
): Promise<MemberRow> {
  const { organization, clock } = actor
  const { user_id, email, role: previous_role } = member
  if (role !== previous_role) {
    if (role !== 'owner') requireOtherOwner({ member, locked })
    await updateMemberRole(tx, organization, user_id, { role, now: clock.now() })
    const data = { user_id, email, role, previous_role }
    await emitEvent(tx, actor, { kind: 'member.role_changed', entity_type: 'user', entity_id: user_id, data })
    if (!mayInvite(role)) await revokeInvitationsOf(tx, actor, user_id)
    await emitStoppedDelegations(tx, actor, { user: user_id })
  }
  return readMember(tx, organization, user_id)
}

/** Makes a member the owner in place of another one, who becomes an admin. */
export async function transferOwnership(
  tx: Tx,
  actor: Actor,
  { from, to }: { readonly from: LockedMember; readonly to: LockedMember },
): Promise<{ readonly owner: MemberRow; readonly former_owner: MemberRow }> {
  const { organization, clock } = actor
  const now = clock.now()
  await updateMemberRole(tx, organization, to.user_id, { role: 'owner', now })
  await updateMemberRole(tx, organization, from.user_id, { role: 'admin', now })
  await emitEvent(tx, actor, {
    kind: 'organization.ownership_transferred',
    entity_type: 'organization',
    entity_id: organization,
    data: { user_id: to.user_id, email: to.email, former_owner_id: from.user_id, former_owner_email: from.email },
  })
  return {
    owner: await readMember(tx, organization, to.user_id),
    former_owner: await readMember(tx, organization, from.user_id),
  }
}

async function readMember(tx: Tx, organization: string, user: string): Promise<MemberRow> {
  const row = await findMembership(tx, organization, user)
  assertInvariant(row, 'the membership is locked')
  return row
}
