import { day_ms } from '@swath/geo/time-units.ts'
import type { Tx } from '../../platform/database/database.ts'
import { Problem } from '../../engine/problem.ts'
import type { Actor } from '../../engine/actor.ts'
import { flushLedgerSession, openLedgerSession, type LedgerSession } from '../ledger/ledger-session.ts'
import { expireLotsOfKinds, addCreditGrant, type CreditGrantKind } from '../ledger/ledger.ts'
import { findOrganization } from '../organizations/store.ts'
import type { AddMonthlyGrant } from '../invoicing/billing-cycle/close-billing-month.ts'
import { toUtcMonth } from '../contracts/months.ts'
import { findBillingPlan } from './plans.ts'
import { findFreeTierDecision, hasMonthlyGrant, insertMonthlyGrant, upsertFreeTierDecision } from './store.free-tier.ts'

const freePlan = findBillingPlan('free')
/** Lower than that of purchased credits, so that free credits are used first. */
const free_credits_priority = 10

/**
 * Approves an organization for the free plan and grants the credits of this month as its signup grant; monthly grants
 * start with the next month. Returns the credits. Throws `already-decided`, and `not-found` for another plan.
 */
export async function approveFreeTier(tx: Tx, actor: Actor, decided_by: string): Promise<number> {
  const { organization } = actor
  const ledger = await openLedgerSession(tx, actor)
  const organizationRow = await findOrganization(tx, organization)
  if (organizationRow?.plan !== 'free' || organizationRow.status !== 'active') {
    throw new Problem('not-found', `No organization with a pending free plan has the id "${organization}".`)
  }
  if (await findFreeTierDecision(tx, organization))
    throw new Problem('already-decided', 'The free plan of this organization has already been decided.')
  await upsertFreeTierDecision(tx, organization, { state: 'approved', decided_by, decided_at: ledger.now })
  const entry_id = addFreeGrant(ledger, 'grant_signup')
  await flushLedgerSession(ledger)
  await insertMonthlyGrant(tx, organization, { period: toUtcMonth(ledger.now), entry_id, now: ledger.now })
  return freePlan.monthly_credits
}

/** Revokes the free plan and writes off the remaining free credits; returns how many. Throws `invalid-state`. */
export async function revokeFreeTier(tx: Tx, actor: Actor, decided_by: string): Promise<number> {
  const { organization } = actor
  const { now } = await openLedgerSession(tx, actor)
  const decision = await findFreeTierDecision(tx, organization)
  if (decision?.state !== 'approved') throw new Problem('invalid-state', 'The organization is not on the free plan.')
  await upsertFreeTierDecision(tx, organization, { state: 'revoked', decided_by, decided_at: now })
  return expireLotsOfKinds(tx, actor, ['grant_signup', 'grant_monthly'])
}

/** Adds the grant of this month to an open ledger session, if the organization is approved and has not received it. */
export const addMonthlyGrant: AddMonthlyGrant = async (ledger) => {
  const { tx, actor, now } = ledger
  const { organization } = actor
  const period = toUtcMonth(now)
  const noGrant = { credits: 0, save: async () => {} }
  const organizationRow = await findOrganization(tx, organization)
  if (organizationRow?.plan !== 'free' || organizationRow.status !== 'active') return noGrant
  if ((await findFreeTierDecision(tx, organization))?.state !== 'approved') return noGrant
  if (await hasMonthlyGrant(tx, organization, period)) return noGrant
  const entry_id = addFreeGrant(ledger, 'grant_monthly')
  return {
    credits: freePlan.monthly_credits,
    save: () => insertMonthlyGrant(tx, organization, { period, entry_id, now }),
  }
}

/** Grants the credits of this month in its own ledger session; returns how many. */
export async function grantMonthlyCredits(tx: Tx, actor: Actor): Promise<number> {
  const ledger = await openLedgerSession(tx, actor)
  const pendingGrant = await addMonthlyGrant(ledger)
  await flushLedgerSession(ledger)
  await pendingGrant.save()
  return pendingGrant.credits
}

function addFreeGrant(ledger: LedgerSession, kind: CreditGrantKind): string {
  const days = freePlan.monthly_credits_expire_after_days
  const expires_at = days === null ? null : new Date(ledger.now.getTime() + days * day_ms)
  const reference = { type: 'organization', id: ledger.actor.organization }
  return addCreditGrant(ledger, {
    kind,
    amount_credits: freePlan.monthly_credits,
    reference,
    priority: free_credits_priority,
    expires_at,
  }).entry_id
}
