import { Problem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { CardRow } from '../payment_methods/store.ts'
import { hasAutoTopup, isCardInUse } from './store.card-uses.ts'
import { upsertBillingDeadline, deleteBillingDeadline } from '../ledger/store.deadlines.ts'

/**
 * Throws `invalid-state` if a card cannot be detached: the default card while auto top-up is enabled, and any card that a
 * hold, an authorisation or a charge uses. The ledger must be locked.
 */
export async function requireCardNotInUse(tx: Tx, organization: string, card: CardRow): Promise<void> {
  if (card.is_default && (await hasAutoTopup(tx, organization))) {
    throw new Problem('invalid-state', 'Automatic top-up charges this card. Switch it off, or choose another default.')
  }
  if (await isCardInUse(tx, organization, card.id)) {
    throw new Problem('invalid-state', 'The card is in use by a payment that is not complete.')
  }
}

const expiry_warning_ms = 30 * 86_400_000

/** Schedules the expiry warning; a card is valid to the end of its last month. Due at once if less time is left. */
export async function scheduleCardExpiryWarning(
  tx: Tx,
  organization: string,
  card: CardRow,
  now: OrganizationTime,
): Promise<void> {
  const { id, exp_month, exp_year } = card
  if (exp_month === null || exp_year === null) return
  const due_ms = Math.max(Date.UTC(exp_year, exp_month, 1) - expiry_warning_ms, now.getTime())
  await upsertBillingDeadline(tx, { organization, kind: 'card-warning', subject: id, due_at: new Date(due_ms) })
}

export const cancelCardExpiryWarning = (tx: Tx, organization: string, card: string): Promise<void> =>
  deleteBillingDeadline(tx, organization, 'card-warning', card)
