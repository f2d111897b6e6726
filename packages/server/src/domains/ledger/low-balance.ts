import type { Tx } from '../../platform/database/database.ts'
import { lockLedger } from './ledger-session.ts'
import { updateLowBalanceThreshold } from './store.heads.ts'

/** The low-balance threshold of a wallet for which none was set. */
export const default_low_balance_threshold_credits = 500

/** Sets the balance below which `credits.low_balance` is emitted, once per crossing; null for the default. */
export async function setLowBalanceThreshold(tx: Tx, organization: string, credits: number | null): Promise<void> {
  await lockLedger(tx, organization)
  await updateLowBalanceThreshold(tx, organization, credits ?? default_low_balance_threshold_credits)
}
