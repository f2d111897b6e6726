import { limits } from '@swath/contract/limits.ts'
import type { Invitation, InvitationState } from '@swath/contract/schemas/people/invitation.ts'
import { day_ms } from '@swath/geo/time-units.ts'
import type { Actor } from '../../../engine/actor.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { shiftTime, type OrganizationTime } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { hashSecretSha256 } from '../../../platform/crypto/secrets.ts'
import { newId } from '../../../platform/ids.ts'
import type { RateLimitUnit } from '../../../platform/rate-limits/rate-limit.ts'
import { emitEvent } from '../../events/emit.ts'
import { toEmailKey } from '../../users/users.ts'
import {
  countPendingInvitations,
  findInvitation,
  hasMemberWithEmail,
  insertInvitation,
  lockInvitation,
  markInvitationDecided,
  markInvitationExpired,
  markInvitationsRevoked,
  updateInvitationRenewed,
  type InvitationRow,
  type NewInvitation,
} from './store.invitations.ts'

/** The state of an invitation at a time. */
export const invitationStateAt = (
  { state, expires_at }: Pick<InvitationRow, 'state' | 'expires_at'>,
  now: OrganizationTime,
): InvitationState => (state === 'pending' && expires_at <= now ? 'expired' : state)

/** The representation of an invitation, without its token. */
export const toInvitation = (row: InvitationRow, now: OrganizationTime): Invitation => ({
  id: row.id,
  email: row.email,
  role: row.role,
  projects: [...row.projects],
  state: invitationStateAt(row, now),
  invited_by: row.invited_by,
  accepted_by: row.accepted_by,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  sent_at: row.sent_at?.toISOString() ?? null,
  decided_at: row.decided_at?.toISOString() ?? null,
})

const expiryAfter = (now: OrganizationTime): OrganizationTime => shiftTime(now, limits.invitation_days * day_ms)

/**
 * How many e-mails of invitations are sent in a day: by an organization, by a person in all organizations (anybody may create some),
 * and to an address by an organization (which may withdraw an invitation and invite again). What other organizations send to an
 * address is not counted: a refusal would tell that they invited it.
 */
const dailyLimits = [
  {
    limit: { name: 'invitations', max: limits.max_daily_invitations, window_ms: day_ms },
    message: 'The organization has sent as many invitations as it may in a day.',
    subjectOf: ({ organization }: InvitingCall) => organization,
  },
  {
    limit: { name: 'invitations-of-person', max: limits.max_daily_invitations, window_ms: day_ms },
    message: 'You have sent as many invitations as a person may in a day.',
    subjectOf: ({ principal }: InvitingCall) => principal.user ?? principal.id,
  },
  {
    limit: { name: 'invitations-to-address', max: limits.max_daily_invitations_to_address, window_ms: day_ms },
    message: 'The address was sent as many invitations as it may be in a day.',
    subjectOf: ({ organization }: InvitingCall, email: string) =>
      `${organization}:${hashSecretSha256(toEmailKey(email))}`,
  },
] as const

type InvitingCall = Pick<Call, 'rateLimiter' | 'organization' | 'principal'>

/** Counts one e-mail to an address and makes a change with it; a change that is refused costs none. Throws `rate-limited`. */
export async function withCountedInvitation<T>(
  call: InvitingCall,
  email: string,
  change: () => Promise<T>,
): Promise<T> {
  const units: RateLimitUnit[] = []
  try {
    for (const { limit, message, subjectOf } of dailyLimits) {
      const unit = await call.rateLimiter.take(limit, subjectOf(call, email))
      if (unit.refused) throw new Problem('rate-limited', message, { retry_after_s: unit.reset_s })
      units.push(unit)
    }
    return await change()
  } catch (error) {
    for (const unit of units) unit.release()
    throw error
  }
}

/** An invitation of the organization; throws `not-found`. */
export async function requireInvitation(call: Pick<Call, 'db' | 'organization'>, id: string): Promise<InvitationRow> {
  return orNotFound(await findInvitation(call.db, call.organization, id), id)
}

function orNotFound(row: InvitationRow | null, id: string): InvitationRow {
  if (!row) throw new Problem('not-found', `No invitation has the id "${id}".`)
  return row
}

type InvitationInput = Pick<NewInvitation, 'email' | 'role' | 'projects'>

/**
 * Invites an address. What is known of it elsewhere is not looked up: the response and its time are the same for any. Throws
 * `name-taken` for an address of a member and for one that is invited already.
 */
export async function createInvitation(tx: Tx, actor: Actor, input: InvitationInput): Promise<InvitationRow> {
  const { organization, clock } = actor
  const now = clock.now()
  const email_key = toEmailKey(input.email)
  const email = input.email.trim()
  if (await hasMemberWithEmail(tx, organization, email_key))
    throw new Problem('name-taken', 'A member of the organization has this address.')
  await markInvitationExpired(tx, organization, email_key, now)
  if ((await countPendingInvitations(tx, organization, now)) >= limits.max_pending_invitations)
    throw new Problem('invalid-state', `At most ${limits.max_pending_invitations} invitations may be pending.`)
  const expires_at = expiryAfter(now)
  const invitation = {
    ...input,
    id: newId(),
    email,
    email_key,
    invited_by: actor.principal.id,
    created_at: now,
    expires_at,
  }
  if (!(await insertInvitation(tx, organization, invitation)))
    throw new Problem('name-taken', 'The address is invited already; send that invitation again.')
  const { role, projects } = input
  const data = { email, role, projects, expires_at: expires_at.toISOString() }
  await emitInvitationEvent(tx, actor, 'invitation.created', { id: invitation.id, data })
  await enqueueInvitationEmail(tx, actor, invitation.id)
  return { ...invitation, state: 'pending', token_hash: null, accepted_by: null, sent_at: null, decided_at: null }
}

/** Sends an invitation again, which acts for the caller from now on. Throws `invalid-state`, or `rate-limited` too soon. */
export async function renewInvitation(tx: Tx, actor: Actor, id: string): Promise<InvitationRow> {
  const { organization, clock, principal } = actor
  const row = orNotFound(await lockInvitation(tx, organization, id), id)
  if (row.state !== 'pending') throw new Problem('invalid-state', `The invitation was ${row.state}; invite again.`)
  const now = clock.now()
  const wait_s = row.sent_at
    ? Math.ceil(limits.invitation_resend_seconds - (now.getTime() - row.sent_at.getTime()) / 1000)
    : 0
  if (wait_s > 0) throw new Problem('rate-limited', 'The invitation was sent a moment ago.', { retry_after_s: wait_s })
  const expires_at = expiryAfter(now)
  await updateInvitationRenewed(tx, organization, id, { invited_by: principal.id, renewed_at: now, expires_at })
  const { email, role } = row
  const data = { email, role, expires_at: expires_at.toISOString() }
  await emitInvitationEvent(tx, actor, 'invitation.resent', { id, data })
  await enqueueInvitationEmail(tx, actor, id)
  return { ...row, invited_by: principal.id, token_hash: null, sent_at: null, expires_at }
}

/** Withdraws an invitation. Throws `invalid-state` for one that was decided or has expired. */
export async function revokeInvitation(tx: Tx, actor: Actor, id: string): Promise<InvitationRow> {
  const { organization, clock } = actor
  const row = orNotFound(await lockInvitation(tx, organization, id), id)
  const now = clock.now()
  const state = invitationStateAt(row, now)
  if (state !== 'pending')
    throw new Problem('invalid-state', `The invitation ${state === 'expired' ? 'has expired' : `was ${state}`}.`)
  await markInvitationDecided(tx, organization, id, { state: 'revoked', accepted_by: null, now })
  await emitInvitationEvent(tx, actor, 'invitation.revoked', { id, data: { email: row.email, role: row.role } })
  return { ...row, state: 'revoked', decided_at: now }
}

/** Withdraws what a user has invited who may not invite any more. */
export const revokeInvitationsOf = (tx: Tx, actor: Actor, inviter: string): Promise<void> =>
  revokeInvitations(tx, actor, { inviter })

/** Withdraws an invitation of an address that came to the organization, or left it, in another way. */
export const revokeInvitationsTo = (tx: Tx, actor: Actor, email: string): Promise<void> =>
  revokeInvitations(tx, actor, { email_key: toEmailKey(email) })

async function revokeInvitations(
  tx: Tx,
  actor: Actor,
  which: Parameters<typeof markInvitationsRevoked>[2],
): Promise<void> {
  for (const { id, email, role } of await markInvitationsRevoked(tx, actor.organization, which, actor.clock.now()))
    await emitInvitationEvent(tx, actor, 'invitation.revoked', { id, data: { email, role } })
}

type InvitationEventKind = 'invitation.created' | 'invitation.resent' | 'invitation.revoked' | 'invitation.accepted'

export const emitInvitationEvent = (
  tx: Tx,
  actor: Actor,
  kind: InvitationEventKind,
  { id, data }: { readonly id: string; readonly data: Readonly<Record<string, unknown>> },
): Promise<void> => emitEvent(tx, actor, { kind, entity_type: 'invitation', entity_id: id, data })

const enqueueInvitationEmail = (tx: Tx, { organization, queue }: Actor, invitation_id: string): Promise<void> =>
  queue.enqueue(tx, backgroundTaskTypes.sendInvitation, { organization_id: organization, invitation_id })
