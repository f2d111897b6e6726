import { isRoleAtLeast, organizationPermissions } from '@swath/contract/access.ts'
import { limits } from '@swath/contract/limits.ts'
import type { ProjectMembership } from '@swath/contract/schemas/people/invitation.ts'
import { actorInOrganization } from '../../../engine/actor.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import type { OrganizationClocks } from '../../../platform/clock.ts'
import { hashSecretSha256 } from '../../../platform/crypto/secrets.ts'
import { hasTokenPrefix } from '../../../platform/crypto/token-prefixes.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { refreshSandboxTime } from '../../../platform/sandbox/sandbox-times.ts'
import { insertAuditEntry } from '../../audit-trail/store.ts'
import { emitInvitationEvent, invitationStateAt } from '../../organizations/invitations/invitation.ts'
import {
  findInvitation,
  findInvitationOfToken,
  lockInvitation,
  markInvitationDecided,
  type InvitationRow,
} from '../../organizations/invitations/store.invitations.ts'
import { findActiveMemberRole } from '../../organizations/store.members.ts'
import { findOrganization, type OrganizationRow } from '../../organizations/store.ts'
import { joinProjects } from '../../projects/project-memberships.ts'
import { toEmailKey } from '../../users/users.ts'
import { admitMember } from '../memberships/admit-member.ts'
import type { JoinOutcome } from '../memberships/join-organization.ts'
import { updateDefaultOrganization } from '../memberships/store.memberships.ts'

/** An invitation that can be accepted, and who invites. */
export interface OpenInvitation {
  readonly invitation: InvitationRow
  readonly organization: OrganizationRow
}

interface InvitationReader {
  /** The unscoped connection: the organization of a token is unknown before it is looked up. */
  readonly db: SqlStatementRunner
  readonly clocks: OrganizationClocks
}

/**
 * The invitation of a token; null for a token that is unknown, was replaced or used, has expired, or whose inviter may not invite with
 * this role any more: nobody gets in by what somebody has left who was removed.
 */
export async function findOpenInvitation(
  { db, clocks }: InvitationReader,
  token: string,
  find: typeof findInvitation = findInvitation,
): Promise<OpenInvitation | null> {
  if (!hasTokenPrefix('invitation', token)) return null
  const token_hash = hashSecretSha256(token)
  const found = await findInvitationOfToken(db, token_hash)
  if (!found) return null
  const { organization_id, invitation_id } = found
  await refreshSandboxTime({ unscoped: db, clock: clocks }, organization_id)
  const invitation = await find(db, organization_id, invitation_id)
  if (invitation?.token_hash !== token_hash) return null
  if (invitationStateAt(invitation, clocks.forOrganization(organization_id).now()) !== 'pending') return null
  const role = await findActiveMemberRole(db, organization_id, invitation.invited_by)
  if (role === null || !organizationPermissions.administer.roles.includes(role)) return null
  const organization = await findOrganization(db, organization_id)
  const isOpen = organization !== null && organization.status !== 'deleted' && isRoleAtLeast(role, invitation.role)
  return isOpen ? { invitation, organization } : null
}

/** One message for every reason, so that it tells nothing about the invitation. */
export const invalidInvitationMessage =
  'The invitation is not valid: it was accepted, withdrawn or sent again, has expired, or is for another address.'

const createInvalidInvitationProblem = (): Problem => new Problem('not-found', invalidInvitationMessage)

/** The call, or the request to a page, that accepts an invitation. */
export type AcceptingCall = Pick<Call, 'principal' | 'clocks' | 'operation' | 'requestId' | 'queue'>

export interface PresentedInvitation {
  readonly token: string
  /** The address of the user who accepts. */
  readonly email: string
  /** The IP address of the client. */
  readonly address: string
}

export interface AcceptedInvitation {
  readonly organization: OrganizationRow
  readonly role: InvitationRow['role']
  readonly projects: readonly ProjectMembership[]
}

/**
 * Accepts an invitation for the user whom the principal names, in an unscoped transaction: the membership, the projects, the events and
 * the row in the audit trail of the organization that invited. The user works in that organization by default from now on. Throws
 * `not-found` with one message, or `invalid-state` for a member.
 */
export async function acceptInvitation(
  tx: Tx,
  call: AcceptingCall,
  { token, email, address }: PresentedInvitation,
): Promise<AcceptedInvitation> {
  const { clocks, principal } = call
  const lock: typeof findInvitation = (_, organization, id) => lockInvitation(tx, organization, id)
  const open = await findOpenInvitation({ db: tx, clocks }, token, lock)
  if (!open || open.invitation.email_key !== toEmailKey(email)) throw createInvalidInvitationProblem()
  const { invitation, organization } = open
  const { id, role } = invitation
  const user = principal.id
  const actor = actorInOrganization(call, organization.id)
  const now = actor.clock.now()
  await markInvitationDecided(tx, organization.id, id, { state: 'accepted', accepted_by: user, now })
  const data = { user_id: user, email: invitation.email, role }
  await emitInvitationEvent(tx, actor, 'invitation.accepted', { id, data })
  const { outcome } = await admitMember(tx, { actor, clocks }, { user, role, invitation: id })
  if (outcome !== 'joined') throw createJoinProblem(outcome)
  await updateDefaultOrganization(tx, user, organization.id, clocks.process.now())
  const projects = await joinProjects(tx, organization.id, { user_id: user, projects: invitation.projects, now })
  await recordAcceptance(tx, call, { organization: organization.id, invitation: id, address })
  return { organization, role, projects }
}

function createJoinProblem(outcome: JoinOutcome): Problem {
  if (outcome === 'member') return new Problem('invalid-state', 'You are a member of the organization already.')
  if (outcome === 'full')
    return new Problem('invalid-state', `A user may be in ${limits.max_user_organizations} organizations at most.`)
  return createInvalidInvitationProblem()
}

/** The call itself is recorded for the organization of its token, which is another one. */
const recordAcceptance = (
  tx: Tx,
  { principal, clocks, requestId }: AcceptingCall,
  { organization, invitation, address }: { organization: string; invitation: string; address: string },
): Promise<void> =>
  insertAuditEntry(tx, {
    organization_id: organization,
    id: newId(),
    at: clocks.process.now(),
    principal_kind: principal.kind,
    principal_id: principal.id,
    operation: 'organizations.invitations.accept',
    target_type: 'invitation',
    target_id: invitation,
    reason: null,
    request_id: requestId,
    address,
    outcome: 'succeeded',
    problem: null,
    refusal_key: null,
  })
