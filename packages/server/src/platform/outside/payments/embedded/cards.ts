/** The decision of a bank on a charge: approved, declined, or requiring authentication of the card holder. */
export type Verdict = 'approved' | 'declined' | 'challenge'

interface PublishedCard {
  readonly brand: string
  readonly last4: string
  readonly verdict: Verdict
  /** False if the bank rejects saving the card. */
  readonly attaches: boolean
  /** How long an authorization can be captured. */
  readonly authorised_ms: number
  /** Years until the card expires; null: at the end of the month in which it is saved. */
  readonly years: number | null
}

const hour_ms = 60 * 60 * 1000
const week_ms = 7 * 24 * hour_ms

const good: PublishedCard = {
  brand: 'visa',
  last4: '4242',
  verdict: 'approved',
  attaches: true,
  authorised_ms: week_ms,
  years: 4,
}

/** The test cards of the embedded processor, by the id that `attach` takes. */
export const publishedCards: Readonly<Record<string, PublishedCard>> = {
  pm_card_good: good,
  pm_card_declined: { ...good, last4: '0341', verdict: 'declined' },
  pm_card_refused: { ...good, last4: '0002', attaches: false },
  pm_card_3ds: { ...good, last4: '3184', verdict: 'challenge' },
  pm_card_expiring: { ...good, brand: 'mastercard', last4: '4444', authorised_ms: hour_ms, years: null },
}

/** `cst_` is an alternative prefix for the same ids. */
export const methodId = (given: string): string => given.replace(/^cst_/, 'pm_')

/** The expiry month of a card of this kind that is saved now. */
export function expiryOf({ years }: PublishedCard, now: Date): { exp_month: number; exp_year: number } {
  if (years === null) return { exp_month: now.getUTCMonth() + 1, exp_year: now.getUTCFullYear() }
  return { exp_month: 12, exp_year: now.getUTCFullYear() + years }
}

/** A card is valid through the last day of its month. */
export const isExpired = ({ exp_month, exp_year }: { exp_month: number; exp_year: number }, now: Date): boolean =>
  now.getTime() >= Date.UTC(exp_year, exp_month, 1)
