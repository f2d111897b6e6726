import { minute_ms } from '@swath/geo/time-units.ts'
import type { Call } from '../../engine/call.ts'
import type { CallDependencies } from '../../engine/call-context.ts'
import { Problem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { RateLimit, RateLimitUnit } from '../../platform/rate-limits/rate-limit.ts'
import type { FailureBucket } from '../identity/failure-throttle.ts'
import { refreshSandboxTime } from '../../platform/sandbox/sandbox-times.ts'
import { findOrganization } from '../organizations/store.ts'
import { findShareLink, findShareLinkOrganization, findShareTokenOwner, type ShareLinkRow } from './store.ts'
import { hashShareLinkToken, verifyShareSessionToken, type ShareSessionClaims } from './tokens.ts'
import { requireShareViewsLeft } from './view-cap.ts'
import { isSharePasswordVerified, cacheVerifiedSharePassword, shareVisitorsServiceKey } from './share-visitors.ts'

/** The credentials that a visitor presents. */
export interface ShareCredentials {
  /** The token of a link or of a session. */
  readonly token: string
  /** Empty for a session. */
  readonly password: string
}

/** A link whose credentials were verified. */
export interface AuthorizedShareLink {
  readonly link: ShareLinkRow
  /** Runs in the organization that shares, as the service itself: the link decides what may be shown. */
  readonly ownerCall: Call
}

type AccessKind = 'visit' | 'tile'

/**
 * Authorizes a visitor by the token and password of a link, or by a session. A visit counts against the rate limit of the
 * client; with `tile` only a failed one does, and tiles of one link to one client have a rate limit of their own. Wrong
 * passwords count against the link, too. Throws `rate-limited`, `not-found` for an unknown token, `gone-expired` for a link
 * or session that expired or was revoked, `forbidden` for a wrong password or a suspended organization, `quota-exceeded`
 * for a password if the views of the link are used up.
 */
export async function authorizeShareLink(
  call: Call,
  visit: ShareCredentials,
  kind: AccessKind = 'visit',
): Promise<AuthorizedShareLink> {
  if (kind === 'visit') await consumeRateLimit(call, call.quotas.share_visits, call.rateLimitKey)
  const authorized = await verifyCredentials(call, visit, kind)
  call.log.set({ share_link: authorized.link.id, share_organization: authorized.link.organization_id })
  return authorized
}

type RateLimitedCall = Pick<Call, 'rateLimiter' | 'reportRateLimits'>

/** Counts one request; the response headers carry the state of the limit. */
async function consumeRateLimit(call: RateLimitedCall, rate: RateLimit, subject: string): Promise<void> {
  call.reportRateLimits([await reserveRateLimit(call, rate, subject)])
}

/** Counts one request that can be released; the response carries the state of the limit only if it refuses. */
async function reserveRateLimit(call: RateLimitedCall, rate: RateLimit, subject: string): Promise<RateLimitUnit> {
  const unit = await call.rateLimiter.take(rate, subject)
  if (!unit.refused) return unit
  call.reportRateLimits([unit])
  const extra = { retry_after_s: unit.reset_s, 'violated-policies': [rate.name] }
  throw new Problem('rate-limited', 'Too many visits to shared links; try again later.', extra)
}

/** Counts a failed token whatever the request was for; the guessed token is not stored. */
async function rejectUnknownToken(call: Call, kind: AccessKind): Promise<never> {
  if (kind === 'tile') await consumeRateLimit(call, call.quotas.share_visits, call.rateLimitKey)
  throw unknownTokenProblem()
}

const unknownTokenProblem = (): Problem => new Problem('not-found', 'No link has this token.')

async function verifyCredentials(
  call: Call,
  { token, password }: ShareCredentials,
  kind: AccessKind,
): Promise<AuthorizedShareLink> {
  const session = verifyShareSessionToken(call.signer, token)
  const hash = hashShareLinkToken(token)
  const owner = session
    ? await findShareLinkOrganization(call.unscoped, session.link)
    : hash === null
      ? null
      : await findShareTokenOwner(call.unscoped, hash)
  if (!owner) return rejectUnknownToken(call, kind)
  if (kind === 'tile') await consumeRateLimit(call, call.quotas.share_tiles, `${owner.link_id} ${call.rateLimitKey}`)
  await refreshSandboxTime({ unscoped: call.unscoped, clock: call.clocks }, owner.organization_id)
  const ownerCall = call.asOrganization(owner.organization_id)
  const link = await findShareLink(ownerCall.db, owner.organization_id, owner.link_id)
  if (!link) throw unknownTokenProblem()
  requireActiveShareLink(link, ownerCall.clock.now())
  if (session) requireValidSession(session, link, ownerCall.clock.now())
  else {
    await verifyPassword(call, link, password, kind)
    requireShareViewsLeft(link)
  }
  const organization = await findOrganization(ownerCall.db, link.organization_id)
  if (organization?.status !== 'active') {
    throw new Problem('forbidden', 'The organization that shares this link is suspended or closed.')
  }
  return { link, ownerCall }
}

/** The part of a link that may be shown before its password is verified. */
export interface ShareLinkStatus {
  readonly expires_at: Date
}

/**
 * Says whether a link would open, before its password is entered: for the page that prompts for it. A visit counts
 * against the rate limit of the client, unless `visit` is null. Throws what `authorizeShareLink` throws except for the
 * password.
 */
export async function getShareLinkStatus(
  dependencies: Pick<CallDependencies, 'database' | 'clock' | 'rateLimiter' | 'quotas'>,
  token: string,
  visit: Pick<Call, 'rateLimitKey' | 'reportRateLimits'> | null,
): Promise<ShareLinkStatus> {
  const { database, clock, quotas, rateLimiter } = dependencies
  if (visit !== null) {
    const { rateLimitKey } = visit
    await consumeRateLimit(
      { rateLimiter, reportRateLimits: (states) => visit.reportRateLimits(states) },
      quotas.share_visits,
      rateLimitKey,
    )
  }
  const hash = hashShareLinkToken(token)
  const owner = hash === null ? null : await findShareTokenOwner(database.unscoped, hash)
  await refreshSandboxTime({ unscoped: database.unscoped, clock }, owner?.organization_id ?? null)
  const db = owner && database.forOrganization(owner.organization_id)
  const link = owner && db && (await findShareLink(db, owner.organization_id, owner.link_id))
  if (!link) throw unknownTokenProblem()
  requireActiveShareLink(link, clock.forOrganization(link.organization_id).now())
  // A visitor with a session has already used its view.
  if (visit !== null) requireShareViewsLeft(link)
  return { expires_at: link.expires_at }
}

/** Throws `gone-expired` if the link was revoked, has expired or was shared by a user who may not share it any more. */
export function requireActiveShareLink(
  { revoked_at, expires_at, stop_reason }: ShareLinkRow,
  now: OrganizationTime,
): void {
  if (revoked_at !== null) throw new Problem('gone-expired', 'The link was revoked.')
  if (expires_at <= now) throw new Problem('gone-expired', 'The link has expired.')
  if (stop_reason !== null) throw new Problem('gone-expired', 'Who shared this link may not share it any more.')
}

function requireValidSession(
  { version, expires_at }: ShareSessionClaims,
  link: ShareLinkRow,
  now: OrganizationTime,
): void {
  if (expires_at <= now || version !== link.password_version) {
    throw new Problem('gone-expired', 'The session has expired. Open the link again with its password.')
  }
}

/**
 * Limits wrong passwords per link and client, and leaves a few attempts to each client while a link is attacked from many:
 * knowing a link must not be enough to lock out others.
 */
function passwordFailureLimit({ rateLimitKey }: Call, { id }: ShareLinkRow): FailureBucket {
  const allowance = { failures: 20, window_ms: 5 * minute_ms }
  const linkAllowance = { failures: 100, window_ms: 5 * minute_ms }
  const within = { name: 'share-passwords-of-link', subject: id, allowance: linkAllowance, failures_while_attacked: 3 }
  return { name: 'share-passwords-of-pair', subject: `${id} ${rateLimitKey}`, allowance, within }
}

/** A visit has been counted already; of tiles only those with a wrong password count. */
async function verifyPassword(call: Call, link: ShareLinkRow, password: string, kind: AccessKind): Promise<void> {
  if (isSharePasswordVerified(call, link, password)) return
  const attempts = call.quotas.share_visits.max === 0 ? [] : [passwordFailureLimit(call, link)]
  const visit = kind === 'tile' ? await reserveRateLimit(call, call.quotas.share_visits, call.rateLimitKey) : null
  const isMatch = await call.processServices.get(shareVisitorsServiceKey).throttle.attempt(attempts, async () => {
    const value = await call.passwords.verify(password, link.password_hash, call.rateLimitKey)
    return { failed: !value, value }
  })
  if (!isMatch && visit) call.reportRateLimits([visit])
  if (!isMatch) throw new Problem('forbidden', 'The password of the link is wrong.')
  visit?.release()
  cacheVerifiedSharePassword(call, link, password)
}
