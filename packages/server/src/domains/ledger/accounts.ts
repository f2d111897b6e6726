/**
 * Every account of an organization: its own first, then those that the platform keeps for it, so that both legs of an
 * entry sit in one organization. What the platform owes, or earned, stands above zero; what it is owed, or gave, below.
 */
export const accounts = [
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

export type Account = (typeof accounts)[number]

/** How something is paid. */
export type Mode = 'credit' | 'card' | 'enterprise'

export type EntryKind =
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

/** Where a hold of each mode takes from and waits, and what its entries are called. */
export const holdAccounts: Readonly<Record<Mode, { free: Account; held: Account; taken: EntryKind; back: EntryKind }>> =
  {
    credit: { free: 'wallet.available', held: 'wallet.held', taken: 'hold', back: 'release' },
    card: { free: 'stripe.clearing', held: 'card.authorised', taken: 'hold', back: 'release' },
    enterprise: { free: 'enterprise.accrued', held: 'enterprise.held', taken: 'accrue', back: 'unaccrue' },
  }
