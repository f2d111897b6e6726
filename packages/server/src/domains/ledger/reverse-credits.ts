import { assertInvariant } from '../../engine/problem.ts'
import type { JournalEntryKind } from './accounts.ts'
import { appendJournalEntry, type LedgerSession, type NewPosting, type LedgerReference } from './ledger-session.ts'
import { writeOffExpiredLots, writeOffExpiredReturnedCredits } from './lots.ts'
import type { CreditLotAmount } from './ledger-changes.ts'

/** The fields of an entry other than its amounts. */
interface EntryDetails {
  readonly kind: Extract<JournalEntryKind, 'refund' | 'payment' | 'dispute_hold' | 'dispute_won' | 'dispute_lost'>
  readonly reference: LedgerReference
  readonly note?: string | null
}

const walletPostings = (lots: readonly CreditLotAmount[], sign: 1 | -1): NewPosting[] =>
  lots.map(({ lot_id, amount_credits }) => ({
    account: 'wallet.available',
    amount_credits: sign * amount_credits,
    lot_id,
  }))

const sumLotAmounts = (lots: readonly CreditLotAmount[]): number =>
  lots.reduce((sum, lot) => sum + lot.amount_credits, 0)

/**
 * Moves up to `amount_credits` from the wallet to `refunds`, from one lot first and then in allocation order; `refunds`
 * holds the amount that is being refunded to a card until the money has left. Returns the amount by lot; appends no
 * entry if there was nothing to take.
 */
export function reverseCredits(
  ledger: LedgerSession,
  options: EntryDetails & {
    readonly amount_credits: number
    readonly firstLotId: string | null
    readonly onlyFirstLot?: boolean
  },
): { entry_id: string | null; lots: CreditLotAmount[] } {
  writeOffExpiredLots(ledger)
  const unexpired = ledger.lots.filter(
    (lot) => lot.expires_at === null || lot.expires_at.getTime() > ledger.now.getTime(),
  )
  const ordered = [
    ...unexpired.filter(({ id }) => id === options.firstLotId),
    ...unexpired.filter(({ id }) => id !== options.firstLotId),
  ]
  const lots: CreditLotAmount[] = []
  let remaining = options.amount_credits
  for (const lot of options.onlyFirstLot ? ordered.filter(({ id }) => id === options.firstLotId) : ordered) {
    const amount_credits = Math.min(remaining, lot.available_credits)
    if (amount_credits > 0) lots.push({ lot_id: lot.id, amount_credits })
    remaining -= amount_credits
  }
  const reversedCredits = sumLotAmounts(lots)
  if (reversedCredits === 0) return { entry_id: null, lots }
  for (const lot of lots) ledger.changes.moves.push({ ...lot, from: 'available', to: 'refunded' })
  const refundsPosting: NewPosting = { account: 'refunds', amount_credits: reversedCredits, lot_id: null }
  const { kind, reference, note = null } = options
  const postings = [...walletPostings(lots, -1), refundsPosting]
  return {
    entry_id: appendJournalEntry(ledger, { kind, reference, note, amount_credits: -reversedCredits, postings }),
    lots,
  }
}

/** Returns reversed credits to the lots they came from; if a lot has expired, they are written off at once. */
export function restoreCredits(
  ledger: LedgerSession,
  options: EntryDetails & { readonly lots: readonly (CreditLotAmount & { readonly expires_at: Date | null })[] },
): void {
  const { kind, reference, note = null, lots } = options
  const amount_credits = sumLotAmounts(lots)
  assertInvariant(amount_credits > 0, 'credits can be restored only if some were reversed')
  for (const { lot_id, amount_credits: amount } of lots) {
    ledger.changes.moves.push({ lot_id, amount_credits: amount, from: 'refunded', to: 'available' })
  }
  const refundsPosting: NewPosting = { account: 'refunds', amount_credits: -amount_credits, lot_id: null }
  appendJournalEntry(ledger, {
    kind,
    reference,
    note,
    amount_credits,
    postings: [...walletPostings(lots, 1), refundsPosting],
  })
  writeOffExpiredReturnedCredits(ledger, lots)
}

/**
 * Records that the payment processor returned money. If it returned more than was reversed, `refunds` becomes negative
 * by the debt of the customer.
 */
export const recordRefundPayout = (
  ledger: LedgerSession,
  options: EntryDetails & { readonly amount_credits: number },
): string => {
  const { kind, reference, note = null, amount_credits } = options
  return appendJournalEntry(ledger, {
    kind,
    reference,
    note,
    amount_credits: -amount_credits,
    postings: [
      { account: 'refunds', amount_credits: -amount_credits, lot_id: null },
      { account: 'stripe.clearing', amount_credits, lot_id: null },
    ],
  })
}
