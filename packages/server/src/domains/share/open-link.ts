import type { Call } from '../../engine/call.ts'
import type { CallGround } from '../../engine/open-call.ts'
import { Problem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { RateLimit, RateLimitUnit } from '../../platform/rate-limits/rate-limit.ts'
import type { Counted } from '../identity/throttle.ts'
import { readOrganization } from '../organizations/organization.ts'
import { findLink, findLinkOwner, findTokenOwner, type LinkRow } from './store.ts'
import { hashOfToken, readSession, type SessionTerms } from './tokens.ts'
import { requireViewLeft } from './view.ts'
import { isRemembered, remember, throttleOf } from './visitors.ts'

/** The credentials that a visitor presents. */
export interface Visit {
  /** The token of a link or of a session. */
  readonly token: string
  /** Empty for a session. */
  readonly password: string
}

/** A link whose credentials were verified. */
export interface OpenLink {
  readonly link: LinkRow
  /** Runs in the organization that shares, as the service itself: the link decides what may be shown. */
  readonly inside: Call
}

type Kind = 'visit' | 'tile'

/**
 * Authorizes a visitor by the token and password of a link, or by a session. A visit counts against the rate limit of the
 * client; with `tile` only a failed one does, and tiles of one link to one client have a rate limit of their own. Wrong
 * passwords count against the link, too. Throws `rate-limited`, `not-found` for an unknown token, `gone-expired` for a link
 * or session that expired or was revoked, `forbidden` for a wrong password or a suspended organization, `quota-exceeded`
 * for a password if the views of the link are used up.
 */
export async function openLink(call: Call, visit: Visit, kind: Kind = 'visit'): Promise<OpenLink> {
  if (kind === 'visit') await limit(call, call.quotas.share_visits, call.origin)
  const opened = await letIn(call, visit, kind)
  call.log.set({ share_link: opened.link.id, share_organization: opened.link.organization_id })
  return opened
}

type Limiting = Pick<Call, 'rates' | 'tellLimits'>

/** Counts one request; the response headers carry the state of the limit. */
async function limit(call: Limiting, rate: RateLimit, subject: string): Promise<void> {
  call.tellLimits([await hold(call, rate, subject)])
}

/** Counts one request that can be given back; the response carries the state of the limit only if it refuses. */
async function hold(call: Limiting, rate: RateLimit, subject: string): Promise<RateLimitUnit> {
  const unit = await call.rates.take(rate, subject)
  if (!unit.refused) return unit
  call.tellLimits([unit])
  const extra = { retry_after_s: unit.reset_s, 'violated-policies': [rate.name] }
  throw new Problem('rate-limited', 'Too many visits to shared links; try again later.', extra)
}

/** Counts a failed token whatever the request was for; the guessed token is not stored. */
async function refuseUnknown(call: Call, kind: Kind): Promise<never> {
  if (kind === 'tile') await limit(call, call.quotas.share_visits, call.origin)
  throw unknown()
}

const unknown = (): Problem => new Problem('not-found', 'No link has this token.')

async function letIn(call: Call, { token, password }: Visit, kind: Kind): Promise<OpenLink> {
  const session = readSession(call.signer, token)
  const hash = hashOfToken(token)
  const owner = session
    ? await findLinkOwner(call.across, session.link)
    : hash === null
      ? null
      : await findTokenOwner(call.across, hash)
  if (!owner) return refuseUnknown(call, kind)
  if (kind === 'tile') await limit(call, call.quotas.share_tiles, `${owner.link_id} ${call.origin}`)
  const inside = call.within(owner.organization_id)
  const link = await findLink(inside.db, owner.organization_id, owner.link_id)
  if (!link) throw unknown()
  requireOpen(link, inside.clock.now())
  if (session) requireSession(session, link, inside.clock.now())
  else {
    await requirePassword(call, link, password, kind)
    requireViewLeft(link)
  }
  const organization = await readOrganization(inside.db, link.organization_id)
  if (organization?.status !== 'active') {
    throw new Problem('forbidden', 'The organization that shares this link is suspended or closed.')
  }
  return { link, inside }
}

/** The part of a link that may be shown before its password is verified. */
export interface LinkState {
  readonly expires_at: Date
}

/**
 * Whether a link would open, before its password is known: for the page that prompts for it. A visit counts against the
 * rate limit of the client, unless `visit` is null. Throws what `authorizeShareLink` throws except for the password.
 */
export async function readLinkState(
  ground: Pick<CallGround, 'database' | 'clock' | 'rates' | 'quotas'>,
  token: string,
  visit: Pick<Call, 'origin' | 'tellLimits'> | null,
): Promise<LinkState> {
  const { database, clock, quotas, rates } = ground
  if (visit !== null) {
    const { origin } = visit
    await limit({ rates, tellLimits: (states) => visit.tellLimits(states) }, quotas.share_visits, origin)
  }
  const hash = hashOfToken(token)
  const owner = hash === null ? null : await findTokenOwner(database.across, hash)
  const db = owner && database.of(owner.organization_id)
  const link = owner && db && (await findLink(db, owner.organization_id, owner.link_id))
  if (!link) throw unknown()
  requireOpen(link, clock.of(link.organization_id).now())
  // A visitor with a session has already used its view.
  if (visit !== null) requireViewLeft(link)
  return { expires_at: link.expires_at }
}

/** Throws `gone-expired` if the link was revoked or has expired. */
export function requireOpen({ revoked_at, expires_at }: LinkRow, now: OrganizationTime): void {
  if (revoked_at !== null) throw new Problem('gone-expired', 'The link was revoked.')
  if (expires_at <= now) throw new Problem('gone-expired', 'The link has expired.')
}

function requireSession({ version, expires_at }: SessionTerms, link: LinkRow, now: OrganizationTime): void {
  if (expires_at <= now || version !== link.password_version) {
    throw new Problem('gone-expired', 'The session has expired. Open the link again with its password.')
  }
}

const minute_ms = 60_000

/**
 * Limits wrong passwords per link and client, and leaves a few attempts to each client while a link is attacked from many:
 * knowing a link must not be enough to lock out others.
 */
function wrongPasswords({ origin }: Call, { id }: LinkRow): Counted {
  const allowance = { failures: 20, window_ms: 5 * minute_ms }
  const ofLink = { failures: 100, window_ms: 5 * minute_ms }
  const within = { name: 'share-passwords-of-link', subject: id, allowance: ofLink, strained_failures: 3 }
  return { name: 'share-passwords-of-pair', subject: `${id} ${origin}`, allowance, within }
}

/** A visit has been counted already; of tiles only those with a wrong password count. */
async function requirePassword(call: Call, link: LinkRow, password: string, kind: Kind): Promise<void> {
  if (isRemembered(call, link, password)) return
  const counted = call.quotas.share_visits.max === 0 ? [] : [wrongPasswords(call, link)]
  const visit = kind === 'tile' ? await hold(call, call.quotas.share_visits, call.origin) : null
  const fits = await throttleOf(call).attempt(counted, async () => {
    const value = await call.passwords.verify(password, link.password_hash, call.origin)
    return { failed: !value, value }
  })
  if (!fits && visit) call.tellLimits([visit])
  if (!fits) throw new Problem('forbidden', 'The password of the link is wrong.')
  visit?.giveBack()
  remember(call, link, password)
}
