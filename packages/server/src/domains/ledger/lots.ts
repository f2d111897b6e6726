import { Problem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { LedgerAccount } from './accounts.ts'
import { appendJournalEntry, type LedgerSession, type NewPosting, type LedgerReference } from './ledger-session.ts'
import type { CreditLotAmount, SpendableLotRow } from './ledger-changes.ts'

const isExpired = (lot: { expires_at: Date | null }, now: OrganizationTime): boolean =>
  lot.expires_at !== null && lot.expires_at.getTime() <= now.getTime()

/**
 * Allocates an amount to lots: lowest priority number, then earliest expiry, then oldest (the order they are read in).
 * Writes off expired lots first. Throws `insufficient-credits` if the remaining lots do not cover the amount.
 */
export function allocateFromLots(ledger: LedgerSession, amount_credits: number): CreditLotAmount[] {
  writeOffExpiredLots(ledger)
  const allocations: CreditLotAmount[] = []
  let remaining = amount_credits
  let available = 0
  for (const lot of ledger.lots.filter((row) => !isExpired(row, ledger.now))) {
    available += lot.available_credits
    const part = Math.min(remaining, lot.available_credits)
    if (part > 0) allocations.push({ lot_id: lot.id, amount_credits: part })
    remaining -= part
  }
  if (remaining > 0) {
    throw new Problem('insufficient-credits', `${amount_credits} credits are needed and ${available} are available.`, {
      required_credits: amount_credits,
      available_credits: available,
    })
  }
  return allocations
}

/** Writes off the available credits of expired lots; returns how many. */
export const writeOffExpiredLots = (ledger: LedgerSession): number =>
  writeOffLots(
    ledger,
    ledger.lots.filter((lot) => isExpired(lot, ledger.now)),
  )

/** Writes off the available credits of these lots, expired or not; returns how many. */
export const writeOffLots = (ledger: LedgerSession, lots: readonly SpendableLotRow[]): number =>
  lots.reduce((sum, lot) => sum + writeOffLot(ledger, lot, lot.available_credits), 0)

function writeOffLot(
  ledger: LedgerSession,
  lot: Pick<SpendableLotRow, 'id' | 'expires_at'>,
  amount_credits: number,
): number {
  const lot_id = lot.id
  ledger.changes.moves.push({ lot_id, amount_credits, from: 'available', to: 'expired' })
  appendJournalEntry(ledger, {
    kind: 'expire',
    amount_credits: -amount_credits,
    reference: { type: 'lot', id: lot_id },
    postings: [
      { account: 'wallet.available', amount_credits: -amount_credits, lot_id },
      { account: 'expired.breakage', amount_credits, lot_id: null },
    ],
  })
  // Held credits may still return to a lot that has not expired.
  if (isExpired(lot, ledger.now)) ledger.changes.cleared.push({ kind: 'lot-expiry', subject_id: lot_id })
  return amount_credits
}

/** After credits returned to lots: writes off the lots that expired in the meantime, as entries of their own. */
export function writeOffExpiredReturnedCredits(
  ledger: LedgerSession,
  returned: readonly (CreditLotAmount & { expires_at: Date | null })[],
): void {
  for (const { lot_id: id, amount_credits, expires_at } of returned.filter((lot) => isExpired(lot, ledger.now))) {
    const left = ledger.lots.find((lot) => lot.id === id)?.available_credits ?? 0
    writeOffLot(ledger, { id, expires_at }, left + amount_credits)
  }
}

/** Two postings per lot: out of one account, into the other. */
export const buildLotTransferPostings = (
  lots: readonly CreditLotAmount[],
  from: LedgerAccount,
  to: LedgerAccount,
): NewPosting[] =>
  lots.flatMap(({ lot_id, amount_credits }) => [
    { account: from, amount_credits: -amount_credits, lot_id },
    { account: to, amount_credits, lot_id },
  ])

/** Deducts credits from the wallet permanently, in allocation order. Returns the id of the entry. */
export function deductFromLots(
  ledger: LedgerSession,
  options: {
    kind: 'adjust' | 'refund'
    amount_credits: number
    to: LedgerAccount
    reference: LedgerReference
    note?: string | null
  },
): string {
  const lots = allocateFromLots(ledger, options.amount_credits)
  for (const lot of lots) ledger.changes.moves.push({ ...lot, from: 'available', to: 'refunded' })
  return appendJournalEntry(ledger, {
    kind: options.kind,
    amount_credits: -options.amount_credits,
    reference: options.reference,
    note: options.note ?? null,
    postings: [
      ...lots.map((lot) => ({
        account: 'wallet.available' as const,
        amount_credits: -lot.amount_credits,
        lot_id: lot.lot_id,
      })),
      { account: options.to, amount_credits: options.amount_credits, lot_id: null },
    ],
  })
}
