import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { Rate } from '../../platform/rate-windows.ts'
import { readOrganization } from '../organizations/organization.ts'
import { findLink, findLinkOwner, findTokenOwner, type LinkRow } from './store.ts'
import { hashOfToken, readSession, type SessionTerms } from './tokens.ts'
import { requireViewLeft } from './view.ts'
import { isRemembered, remember } from './visitors.ts'

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

/**
 * Lets a visitor in by the token and password of a link, or by a session. A visit counts against the address that it
 * comes from; with `tile` only a failed one does, and tiles have a rate of their own. Throws `rate-limited`,
 * `not-found` for an unknown token, `gone-expired` for a link or session that is over or revoked, `forbidden` for a wrong
 * password or a suspended organization, `quota-exceeded` for a password where the link opens no more.
 */
export async function openLink(call: Call, visit: Visit, kind: 'visit' | 'tile' = 'visit'): Promise<OpenLink> {
  if (kind === 'tile') limit(call, `tiles of ${visit.token} to ${call.origin}`, call.quotas.share_tiles)
  else limit(call, visitorOf(call), call.quotas.share_visits)
  const opened = await letIn(call, visit, kind === 'tile' ? tiles(call) : visits)
  call.log.set({ share_link: opened.link.id, share_organization: opened.link.organization_id })
  return opened
}

const visitorOf = ({ origin }: Call): string => `share from ${origin}`

/** What happens to the count of visits where it is doubtful that somebody may come in, and where they may after all. */
interface Doubt {
  raise(): void
  settle(): void
}

const visits: Doubt = { raise: () => {}, settle: () => {} }

const tiles = (call: Call): Doubt => ({
  raise: () => limit(call, visitorOf(call), call.quotas.share_visits),
  settle: () => call.rates.giveBack(visitorOf(call), call.quotas.share_visits),
})

function limit(call: Call, name: string, rate: Rate): void {
  const retry_after_s = call.rates.take(name, rate)
  if (retry_after_s === null) return
  throw new Problem('rate-limited', 'Too many visits of shared links; try again later.', { retry_after_s })
}

const unknown = (): Problem => new Problem('not-found', 'No link has that token.')

async function letIn(call: Call, { token, password }: Visit, doubt: Doubt): Promise<OpenLink> {
  const session = readSession(call.signer, token)
  const hash = hashOfToken(token)
  const owner = session
    ? await findLinkOwner(call.across, session.link)
    : hash === null
      ? null
      : await findTokenOwner(call.across, hash)
  if (!owner) {
    doubt.raise()
    throw unknown()
  }
  const inside = call.within(owner.organization_id)
  const link = await findLink(inside.db, owner.organization_id, owner.link_id)
  if (!link) throw unknown()
  requireOpen(link, inside.clock.now(link.organization_id))
  if (session) requireSession(session, link, call.clock.now())
  else {
    await requirePassword(call, link, password, doubt)
    requireViewLeft(link)
  }
  const organization = await readOrganization(inside.db, link.organization_id)
  if (organization?.status !== 'active') {
    throw new Problem('forbidden', 'The organization that shares this is suspended or closed.')
  }
  return { link, inside }
}

/** Refuses a link that was revoked or is over. Throws `gone-expired`. */
export function requireOpen({ revoked_at, expires_at }: LinkRow, now: Date): void {
  if (revoked_at !== null) throw new Problem('gone-expired', 'The link was revoked.')
  if (expires_at <= now) throw new Problem('gone-expired', 'The link has expired.')
}

function requireSession({ version, expires_at }: SessionTerms, link: LinkRow, now: Date): void {
  if (expires_at <= now || version !== link.password_version) {
    throw new Problem('gone-expired', 'The session is over. Open the link again with its password.')
  }
}

async function requirePassword(call: Call, link: LinkRow, password: string, doubt: Doubt): Promise<void> {
  if (isRemembered(call, link, password)) return
  doubt.raise()
  if (!(await call.passwords.verify(password, link.password_hash))) {
    throw new Problem('forbidden', 'The password of the link is wrong.')
  }
  doubt.settle()
  remember(call, link, password)
}
