/**
 * Every account of an organization: its wallet first, then the platform's accounts for it, so that both sides of an
 * entry belong to one organization. Liabilities and revenue are positive; receivables and expenses are negative.
 */
export const ledgerAccounts = [
  'wallet.available',
  'wallet.held',
  'card.authorised',
  'enterprise.held',
  'enterprise.accrued',
  'enterprise.invoiced',
  'revenue',
  'stripe.clearing',
  'promo.expense',
  'expired.breakage',
  'refunds',
  'tax',
] as const

export type LedgerAccount = (typeof ledgerAccounts)[number]

/** The payment method class of a hold. */
export type HoldPaymentMethodClass = 'credit' | 'card' | 'enterprise'

export type JournalEntryKind =
  | 'purchase'
  | 'auto_topup'
  | 'grant_signup'
  | 'grant_monthly'
  | 'grant_manual'
  | 'hold'
  | 'capture'
  | 'release'
  | 'hold_expired'
  | 'accrue'
  | 'unaccrue'
  | 'true_up'
  | 'invoice'
  | 'payment'
  | 'refund'
  | 'expire'
  | 'adjust'
  | 'dispute_hold'
  | 'dispute_lost'
  | 'dispute_won'
  | 'tax'

/** By payment mode: the account that a hold debits, the account that holds the amount, and the kinds of its entries. */
export const holdAccounts: Readonly<
  Record<
    HoldPaymentMethodClass,
    {
      sourceAccount: LedgerAccount
      heldAccount: LedgerAccount
      holdKind: JournalEntryKind
      releaseKind: JournalEntryKind
    }
  >
> = {
  credit: { sourceAccount: 'wallet.available', heldAccount: 'wallet.held', holdKind: 'hold', releaseKind: 'release' },
  card: { sourceAccount: 'stripe.clearing', heldAccount: 'card.authorised', holdKind: 'hold', releaseKind: 'release' },
  enterprise: {
    sourceAccount: 'enterprise.accrued',
    heldAccount: 'enterprise.held',
    holdKind: 'accrue',
    releaseKind: 'unaccrue',
  },
}
