import { hour_ms } from '@swath/geo/time-units.ts'
/** The decision of a bank on a charge: approved, declined, or requiring authentication of the card holder. */
export type BankDecision = 'approved' | 'declined' | 'challenge'

interface TestCard {
  readonly brand: string
  readonly last4: string
  readonly decision: BankDecision
  /** False if the bank rejects saving the card. */
  readonly canAttach: boolean
  /** The time for which an authorization can be captured. */
  readonly authorization_ms: number
  /** Years until the card expires; null: at the end of the month in which it is saved. */
  readonly valid_years: number | null
}

const week_ms = 7 * 24 * hour_ms

const good_card: TestCard = {
  brand: 'visa',
  last4: '4242',
  decision: 'approved',
  canAttach: true,
  authorization_ms: week_ms,
  valid_years: 4,
}

/** The test cards of the embedded processor, by the id that `attach` takes. */
export const test_cards: Readonly<Record<string, TestCard>> = {
  pm_card_good: good_card,
  pm_card_declined: { ...good_card, last4: '0341', decision: 'declined' },
  pm_card_refused: { ...good_card, last4: '0002', canAttach: false },
  pm_card_3ds: { ...good_card, last4: '3184', decision: 'challenge' },
  pm_card_expiring: { ...good_card, brand: 'mastercard', last4: '4444', authorization_ms: hour_ms, valid_years: null },
}

/** `cst_` is an alternative prefix for the same ids. */
export const toPaymentMethodId = (id: string): string => id.replace(/^cst_/, 'pm_')

/** The expiry month of a card of this kind that is saved now. */
export function computeTestCardExpiry({ valid_years }: TestCard, now: Date): { exp_month: number; exp_year: number } {
  if (valid_years === null) return { exp_month: now.getUTCMonth() + 1, exp_year: now.getUTCFullYear() }
  return { exp_month: 12, exp_year: now.getUTCFullYear() + valid_years }
}

/** A card is valid through the last day of its month. */
export const isCardExpired = ({ exp_month, exp_year }: { exp_month: number; exp_year: number }, now: Date): boolean =>
  now.getTime() >= Date.UTC(exp_year, exp_month, 1)
