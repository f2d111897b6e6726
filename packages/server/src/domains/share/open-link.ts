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

/** What a visitor shows. */
export interface Visit {
  /** Of the link, or a session. */
  readonly token: string
  /** Empty with a session. */
  readonly password: string
}

/** A link that has let a visitor in. */
export interface OpenLink {
  readonly link: LinkRow
  /** Works in the organization that shares, as the service itself: what it may show is decided by the link. */
  readonly inside: Call
}

type Kind = 'visit' | 'tile'

/**
 * Lets a visitor in by the token and password of a link, or by a session. A visit counts against the address that it
 * comes from; with `tile` only a failed one does, and tiles of a link to an address have a rate of their own. Wrong
 * passwords count against the link, too. Throws `rate-limited`, `not-found` for an unknown token, `gone-expired` for a link
 * or session that is over or revoked, `forbidden` for a wrong password or a suspended organization, `quota-exceeded` for a
 * password where the link opens no more.
 */
export async function openLink(call: Call, visit: Visit, kind: Kind = 'visit'): Promise<OpenLink> {
  if (kind === 'visit') await limit(call, call.quotas.share_visits, call.origin)
  const opened = await letIn(call, visit, kind)
  call.log.set({ share_link: opened.link.id, share_organization: opened.link.organization_id })
  return opened
}

type Limiting = Pick<Call, 'rates' | 'tellLimits'>

/** Counts one; the answer says how the limit stands. */
async function limit(call: Limiting, rate: RateLimit, subject: string): Promise<void> {
  call.tellLimits([await hold(call, rate, subject)])
}

/** Counts one that may be given back; the answer tells of the limit only where it refuses. */
async function hold(call: Limiting, rate: RateLimit, subject: string): Promise<RateLimitUnit> {
  const unit = await call.rates.take(rate, subject)
  if (!unit.refused) return unit
  call.tellLimits([unit])
  const extra = { retry_after_s: unit.reset_s, 'violated-policies': [rate.name] }
  throw new Problem('rate-limited', 'Too many visits of shared links; try again later.', extra)
}

/** Who guesses tokens fails, and that counts, whatever was asked for; nothing is kept of what was guessed. */
async function refuseUnknown(call: Call, kind: Kind): Promise<never> {
  if (kind === 'tile') await limit(call, call.quotas.share_visits, call.origin)
  throw unknown()
}

const unknown = (): Problem => new Problem('not-found', 'No link has that token.')

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
    throw new Problem('forbidden', 'The organization that shares this is suspended or closed.')
  }
  return { link, inside }
}

/** What may be said of a link before its password. */
export interface LinkState {
  readonly expires_at: Date
}

/**
 * Whether a link would open, before its password is known: for the page that asks for it. A visit counts against the address that it
 * comes from, unless it was counted already. Throws what `openLink` throws but for the password.
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
  // Who was let in already has the view that it took.
  if (visit !== null) requireViewLeft(link)
  return { expires_at: link.expires_at }
}

/** Refuses a link that was revoked or is over. Throws `gone-expired`. */
export function requireOpen({ revoked_at, expires_at }: LinkRow, now: OrganizationTime): void {
  if (revoked_at !== null) throw new Problem('gone-expired', 'The link was revoked.')
  if (expires_at <= now) throw new Problem('gone-expired', 'The link has expired.')
}

function requireSession({ version, expires_at }: SessionTerms, link: LinkRow, now: OrganizationTime): void {
  if (expires_at <= now || version !== link.password_version) {
    throw new Problem('gone-expired', 'The session is over. Open the link again with its password.')
  }
}

const minute_ms = 60_000

/**
 * Wrong passwords of a link from one address, and what is left to each address while the link is attacked from many: knowing
 * a link must not be enough to keep others out.
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
