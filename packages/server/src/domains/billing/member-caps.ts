import type { Queryable } from '../../platform/database/database.ts'
import type { Principal } from '../../engine/call.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import { findSpendCap } from '../api_keys/spend-cap.ts'
import { requireWithinCaps, requireWithinKeyCap, type Pending } from '../ledger/caps.ts'
import { findMembership } from '../organizations/organization.ts'
import { listPending } from './cards/store.authorisations.ts'

/** What counts in a member's window besides holds: the cards that are being asked for them at this moment. */
export const pendingOf = (
  db: Queryable,
  organization: string,
  user: string,
): Promise<{ id: string; created_at: Date; credits: number }[]> => listPending(db, organization, user)

/**
 * Refuses what would pass a cap of who asks: of the key, and of the member who asks or made the key. The organization's money
 * is locked. Throws `spend-limit-exceeded`.
 */
export async function requireCapsOf(
  db: Queryable,
  { organization, principal }: { readonly organization: string; readonly principal: Principal },
  amount_credits: number,
  now: OrganizationTime,
  without: readonly string[],
): Promise<void> {
  const { kind, id: api_key, user } = principal
  const cap = kind === 'api_key' ? await findSpendCap(db, organization, api_key) : null
  if (cap !== null) {
    await requireWithinKeyCap(db, { organization, api_key, spend_cap_credits: cap, amount_credits })
  }
  if (user !== null) await requireCaps(db, organization, user, amount_credits, now, without)
}

/**
 * Refuses what would pass a cap of the member; somebody who left the organization has none. The organization's money is
 * locked. `without` names authorisations that stand for the very thing that is asked for. Throws `spend-limit-exceeded`.
 */
export async function requireCaps(
  db: Queryable,
  organization: string,
  user: string,
  amount_credits: number,
  now: OrganizationTime,
  without: readonly string[],
): Promise<void> {
  const caps = await findMembership(db, organization, user)
  if (!caps || (caps.per_order_limit_credits === null && caps.spend_limit_credits === null)) return
  const pending: Pending = (await pendingOf(db, organization, user)).filter(({ id }) => !without.includes(id))
  await requireWithinCaps(db, { organization, user, caps, amount_credits, now, pending })
}
