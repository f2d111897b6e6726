import type { LedgerAccount, HoldPaymentMethodClass } from './accounts.ts'
import type { HashedJournalEntry } from './chain.ts'

export interface SpendableLotRow {
  readonly id: string
  readonly kind: string
  readonly expires_at: Date | null
  readonly available_credits: number
}

export const creditLotColumns = ['available', 'held', 'captured', 'expired', 'refunded'] as const
export type CreditLotColumn = (typeof creditLotColumns)[number]

/** Credits that move from one column of a lot to another. */
export interface CreditLotMove {
  readonly lot_id: string
  readonly amount_credits: number
  readonly from: CreditLotColumn
  readonly to: CreditLotColumn
}

export interface NewCreditLot extends SpendableLotRow {
  readonly priority: number
  readonly created_at: Date
}

export interface CreditLotAmount {
  readonly lot_id: string
  readonly amount_credits: number
}

export interface NewCreditHold {
  readonly id: string
  readonly amount_credits: number
  readonly mode: HoldPaymentMethodClass
  readonly reference_type: string
  readonly reference_id: string
  readonly user_id: string | null
  readonly api_key_id: string | null
  readonly expires_at: Date | null
  readonly created_at: Date
  readonly lots: readonly CreditLotAmount[]
}

export interface HoldResolution {
  readonly hold_id: string
  readonly outcome: 'settled' | 'released' | 'expired'
  readonly settled_credits: number
  readonly released_credits: number
  readonly user_id: string | null
  readonly api_key_id: string | null
  readonly held_at: Date
  readonly at: Date
}

export interface NewBillingDeadline {
  readonly kind: string
  readonly subject_id: string
  readonly due_at: Date
}

/** One charge line of a hold; quantities and rates are decimal text, so that nothing is rounded. */
export interface NewChargeLine {
  readonly hold_id: string
  readonly line: number
  readonly product: string
  readonly description: string
  readonly unit: string
  readonly measured_quantity: string
  readonly charged_quantity: string
  readonly minimum_quantity: string
  readonly list_rate_credits: string
  readonly rate_credits: string
  /** A day, `YYYY-MM-DD`. */
  readonly priced_on: string
  readonly discount_credits: number
  readonly amount_credits: number
  readonly commitment_id: string | null
}

export interface SettledChargeLine {
  readonly hold_id: string
  readonly line: number
  readonly amount_credits: number
  readonly settled_at: Date
}

/** Everything that one commit of a ledger session writes. */
export interface LedgerCommit {
  readonly openingBalances: ReadonlyMap<LedgerAccount, number>
  readonly balances: ReadonlyMap<LedgerAccount, number>
  readonly entries: readonly (HashedJournalEntry & { readonly hash: string })[]
  readonly changes: {
    readonly moves: readonly CreditLotMove[]
    readonly lots: readonly NewCreditLot[]
    readonly holds: readonly NewCreditHold[]
    readonly resolutions: readonly HoldResolution[]
    readonly lines: readonly NewChargeLine[]
    readonly settled: readonly SettledChargeLine[]
    readonly deadlines: readonly NewBillingDeadline[]
    readonly cleared: readonly { readonly kind: string; readonly subject_id: string }[]
  }
}
