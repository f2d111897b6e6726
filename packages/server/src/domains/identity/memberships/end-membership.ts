import type { Actor } from '../../../engine/actor.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { emitEvent } from '../../events/emit.ts'
import { lockMemberForChange, requireOtherOwner } from '../../organizations/change-member.ts'
import { emitStoppedDelegations } from '../../organizations/delegations.ts'
import { revokeInvitationsOf, revokeInvitationsTo } from '../../organizations/invitations/invitation.ts'
import { deleteMember } from '../../organizations/store.members.ts'
import { deleteProjectMembershipsOfUser } from '../../projects/store.members.ts'
import { deleteConsents } from '../consents/store.consents.ts'
import { revokePersonalTokensOfUser } from '../personal-tokens/personal-tokens.ts'
import { publishPrincipalChange } from '../principal-changes.ts'
import { listUserOrganizationIds } from '../store.ts'
import {
  deleteUserOrganization,
  lockUser,
  markOrganizationSessionsRevoked,
  updateDefaultOrganization,
} from './store.memberships.ts'

const reasons = { 'member.removed': 'removed-from-organization', 'member.left': 'left-organization' } as const

/**
 * Ends the membership of a user, in an unscoped transaction: the user leaves the projects, sessions for this organization end, what the
 * user has made in it stops, and what the user has invited is withdrawn. Sessions for other organizations go on. Throws `not-found`,
 * `forbidden` for a member of a higher role, and `invalid-state` for the last owner.
 */
export async function endMembership(
  tx: Tx,
  actor: Actor,
  { user, kind }: { readonly user: string; readonly kind: keyof typeof reasons },
): Promise<void> {
  const { organization, clock } = actor
  // Before the memberships, in the order of those who join.
  const account = await lockUser(tx, user)
  const change = await lockMemberForChange(tx, actor, user)
  requireOtherOwner(change)
  const { user_id, email, role } = change.member
  await deleteProjectMembershipsOfUser(tx, organization, user_id)
  await deleteMember(tx, organization, user_id)
  await deleteUserOrganization(tx, user_id, organization)
  const at = clock.process.now()
  if (account?.organization_id === organization) {
    const others = await listUserOrganizationIds(tx, user_id)
    await updateDefaultOrganization(tx, user_id, others.find((other) => other !== organization) ?? null, at)
  }
  await markOrganizationSessionsRevoked(tx, user_id, organization, { reason: reasons[kind], at })
  await revokePersonalTokensOfUser(tx, actor, user_id)
  await deleteConsents(tx, user_id, { client: null, organization })
  await emitEvent(tx, actor, { kind, entity_type: 'user', entity_id: user_id, data: { user_id, email, role } })
  await revokeInvitationsOf(tx, actor, user_id)
  await revokeInvitationsTo(tx, actor, email)
  await emitStoppedDelegations(tx, actor, { user: user_id })
  await publishPrincipalChange(tx, `user:${user_id}`)
}
