import type { Tx } from '../../platform/database/database.ts'
import { lockBooks } from './books.ts'
import { updateThreshold } from './store.heads.ts'

/** Where a wallet is announced as low when nobody said otherwise. */
export const usual_threshold_credits = 500

/** Sets below how many available credits a wallet is announced as low, once per crossing; null for the usual number. */
export async function setLowBalance(tx: Tx, organization: string, credits: number | null): Promise<void> {
  await lockBooks(tx, organization)
  await updateThreshold(tx, organization, credits ?? usual_threshold_credits)
}
