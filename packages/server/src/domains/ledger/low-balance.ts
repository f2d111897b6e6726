import type { Tx } from '../../platform/database/database.ts'
import { lockBooks } from './books.ts'
import { updateThreshold } from './store.heads.ts'

/** The low-balance threshold of a wallet for which none was set. */
export const usual_threshold_credits = 500

/** Sets the balance below which `credits.low_balance` is emitted, once per crossing; null for the default. */
export async function setLowBalance(tx: Tx, organization: string, credits: number | null): Promise<void> {
  await lockBooks(tx, organization)
  await updateThreshold(tx, organization, credits ?? usual_threshold_credits)
}
