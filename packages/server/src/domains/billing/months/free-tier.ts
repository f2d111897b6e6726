import type { Tx } from '../../../platform/database/database.ts'
import { Problem } from '../../../engine/problem.ts'
import type { Actor } from '../../events/emit.ts'
import { closeBooks, openBooks, type Books } from '../../ledger/books.ts'
import { expireLotsOf, grantIn, type GrantKind } from '../../ledger/ledger.ts'
import { readOrganization } from '../../organizations/organization.ts'
import { monthOf } from './months.ts'
import { planOf } from '../plans.ts'
import { findDecision, putDecision } from './store.free-tier.ts'
import { hasMonthlyGrant, insertMonthlyGrant } from './store.monthly.ts'

const free = planOf('free')
const day_ms = 86_400_000
/** Lower than that of purchased credits, so that free credits are used first. */
const priority = 10

/**
 * Approves an organization for the free plan and grants the credits of this month as its signup grant; monthly grants
 * start with the next month. Returns the credits. Throws `already-decided`, and `not-found` for another plan.
 */
export async function approveFreeTier(tx: Tx, actor: Actor, decided_by: string): Promise<number> {
  const { organization } = actor
  const books = await openBooks(tx, actor)
  const found = await readOrganization(tx, organization)
  if (found?.plan !== 'free' || found.status !== 'active') {
    throw new Problem('not-found', `No organization with a pending free plan has the id "${organization}".`)
  }
  if (await findDecision(tx, organization))
    throw new Problem('already-decided', 'The free plan of this organization has already been decided.')
  await putDecision(tx, organization, { state: 'approved', decided_by, decided_at: books.now })
  const entry_id = grantFree(books, 'grant_signup')
  await closeBooks(books)
  await insertMonthlyGrant(tx, organization, { period: monthOf(books.now), entry_id, now: books.now })
  return free.monthly_credits
}

/** Revokes the free plan and writes off the remaining free credits; returns how many. Throws `invalid-state`. */
export async function revokeFreeTier(tx: Tx, actor: Actor, decided_by: string): Promise<number> {
  const { organization } = actor
  const { now } = await openBooks(tx, actor)
  const decision = await findDecision(tx, organization)
  if (decision?.state !== 'approved') throw new Problem('invalid-state', 'The organization is not on the free plan.')
  await putDecision(tx, organization, { state: 'revoked', decided_by, decided_at: now })
  return expireLotsOf(tx, actor, ['grant_signup', 'grant_monthly'])
}

/** A grant in an open ledger session; `save` must be called after the session is flushed. */
export interface DueGrant {
  readonly credits: number
  keep(): Promise<void>
}

/** Adds the grant of this month to an open ledger session, if the organization is approved and has not received it. */
export async function grantMonthIn(books: Books): Promise<DueGrant> {
  const { tx, actor, now } = books
  const { organization } = actor
  const period = monthOf(now)
  const nothing = { credits: 0, keep: async () => {} }
  const found = await readOrganization(tx, organization)
  if (found?.plan !== 'free' || found.status !== 'active') return nothing
  if ((await findDecision(tx, organization))?.state !== 'approved') return nothing
  if (await hasMonthlyGrant(tx, organization, period)) return nothing
  const entry_id = grantFree(books, 'grant_monthly')
  return {
    credits: free.monthly_credits,
    keep: () => insertMonthlyGrant(tx, organization, { period, entry_id, now }),
  }
}

/** Grants the credits of this month in its own ledger session; returns how many. */
export async function grantMonth(tx: Tx, actor: Actor): Promise<number> {
  const books = await openBooks(tx, actor)
  const due = await grantMonthIn(books)
  await closeBooks(books)
  await due.keep()
  return due.credits
}

function grantFree(books: Books, kind: GrantKind): string {
  const days = free.monthly_credits_expire_after_days
  const expires_at = days === null ? null : new Date(books.now.getTime() + days * day_ms)
  const reference = { type: 'organization', id: books.actor.organization }
  return grantIn(books, { kind, amount_credits: free.monthly_credits, reference, priority, expires_at }).entry_id
}
