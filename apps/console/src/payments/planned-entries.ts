import type { PlacedOrder } from '@swath/client/operations.ts'

export type BillingMode = PlacedOrder['billingMode']

/** An account of the journal. */
type PlannedAccount =
  | 'wallet.available'
  | 'wallet.held'
  | 'stripe.clearing'
  | 'card.authorised'
  | 'enterprise.accrued'
  | 'enterprise.held'
  | 'revenue'

export interface PlannedEntry {
  /** The kind of a journal entry. */
  readonly kind: 'hold' | 'accrue' | 'capture' | 'release' | 'unaccrue'
  readonly when: 'now' | 'delivered' | 'undelivered'
  readonly from: PlannedAccount
  readonly to: PlannedAccount
  readonly credits: number
}

interface Accounts {
  /** Source of the price. */
  readonly source: PlannedAccount
  readonly held: PlannedAccount
  readonly reserve: 'hold' | 'accrue'
  readonly giveBack: 'release' | 'unaccrue'
}

const accounts: Readonly<Record<BillingMode, Accounts>> = {
  credit: { source: 'wallet.available', held: 'wallet.held', reserve: 'hold', giveBack: 'release' },
  card: { source: 'stripe.clearing', held: 'card.authorised', reserve: 'hold', giveBack: 'release' },
  enterprise: { source: 'enterprise.accrued', held: 'enterprise.held', reserve: 'accrue', giveBack: 'unaccrue' },
}

/** The journal entries that an order will cause: one when it is placed, and one or two when it ends. */
export function planEntries(mode: BillingMode, credits: number): readonly PlannedEntry[] {
  if (credits === 0) return []
  const { source, held, reserve, giveBack } = accounts[mode]
  return [
    { kind: reserve, when: 'now', from: source, to: held, credits },
    { kind: 'capture', when: 'delivered', from: held, to: 'revenue', credits },
    { kind: giveBack, when: 'undelivered', from: held, to: source, credits },
  ]
}

/** Below this a card cannot be charged. */
const min_card_credits = 50

/** The payment source that the server will use for the order. */
export function expectMode({
  isEnterprise,
  plan,
  hasCard,
  available_credits,
  price_credits,
}: {
  readonly isEnterprise: boolean
  readonly plan: string
  readonly hasCard: boolean
  readonly available_credits: number
  readonly price_credits: number
}): BillingMode {
  if (isEnterprise) return 'enterprise'
  const isShort = price_credits >= min_card_credits && available_credits < price_credits
  return plan === 'free' && hasCard && isShort ? 'card' : 'credit'
}
