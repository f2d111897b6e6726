import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../events/emit.ts'
import { hold, release, settle } from '../ledger/holds.ts'
import type { Reference } from '../ledger/ledger.ts'

export interface Reservation {
  /** Null where nothing was to be held. */
  readonly hold_id: string | null
  readonly billing_mode: 'credit'
}

/**
 * The one door through which anything is paid: reserves the price before the work. Who asks never learns how it is paid.
 * Throws `insufficient-credits`; then nothing was written.
 */
export async function reserve(
  tx: Tx,
  actor: Actor,
  terms: { amount_credits: number; reference: Reference },
): Promise<Reservation> {
  if (terms.amount_credits === 0) return { hold_id: null, billing_mode: 'credit' }
  return { hold_id: await hold(tx, actor, terms), billing_mode: 'credit' }
}

/** Charges what was delivered and gives the rest back. */
export async function settleSpend(tx: Tx, actor: Actor, hold_id: string | null, amount_credits: number): Promise<void> {
  if (hold_id !== null) await settle(tx, actor, hold_id, amount_credits)
}

/** Gives everything back: the work was cancelled or failed. */
export async function releaseSpend(tx: Tx, actor: Actor, hold_id: string | null): Promise<void> {
  if (hold_id !== null) await release(tx, actor, hold_id)
}
