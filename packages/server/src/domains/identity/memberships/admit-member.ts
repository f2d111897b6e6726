import type { Actor } from '../../../engine/actor.ts'
import { assertInvariant } from '../../../engine/problem.ts'
import type { OrganizationClocks } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { emitEvent } from '../../events/emit.ts'
import { revokeInvitationsTo } from '../../organizations/invitations/invitation.ts'
import { findMembership } from '../../organizations/store.ts'
import { joinOrganization, type JoiningMember, type JoinOutcome } from './join-organization.ts'

type Membership = NonNullable<Awaited<ReturnType<typeof findMembership>>>

export type Admission =
  | { readonly outcome: 'joined'; readonly member: Membership }
  | { readonly outcome: Exclude<JoinOutcome, 'joined'>; readonly member: null }

/**
 * Makes a user a member of the organization of the actor, as `joinOrganization` does, with what follows however somebody comes:
 * invitations of the address are withdrawn, and `member.joined` is emitted.
 *
 * @param invitation the one that was accepted, decided before; by default none.
 */
export async function admitMember(
  tx: Tx,
  { actor, clocks }: { readonly actor: Actor; readonly clocks: OrganizationClocks },
  { invitation = null, ...joining }: Omit<JoiningMember, 'organization'> & { readonly invitation?: string | null },
): Promise<Admission> {
  const { organization } = actor
  const { user, role } = joining
  const outcome = await joinOrganization(tx, clocks, { ...joining, organization })
  if (outcome !== 'joined') return { outcome, member: null }
  const member = await findMembership(tx, organization, user)
  assertInvariant(member, 'the membership was just written')
  const { email } = member
  await revokeInvitationsTo(tx, actor, email)
  const data = { user_id: user, email, role, invitation_id: invitation }
  await emitEvent(tx, actor, { kind: 'member.joined', entity_type: 'user', entity_id: user, data })
  return { outcome, member }
}
