/** What a bank says of a charge: nothing against it, no, or that its card holder has to be asked first. */
export type Verdict = 'approved' | 'declined' | 'challenge'

interface PublishedCard {
  readonly brand: string
  readonly last4: string
  readonly verdict: Verdict
  /** False where the bank refuses already that the card is saved. */
  readonly attaches: boolean
  /** How long an authorisation can be captured. */
  readonly authorised_ms: number
  /** Null: the card expires at the end of the month in which it is saved. */
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

/** The cards that anybody may use here, by the id that `attach` takes. */
export const publishedCards: Readonly<Record<string, PublishedCard>> = {
  pm_card_good: good,
  pm_card_declined: { ...good, last4: '0341', verdict: 'declined' },
  pm_card_refused: { ...good, last4: '0002', attaches: false },
  pm_card_3ds: { ...good, last4: '3184', verdict: 'challenge' },
  pm_card_expiring: { ...good, brand: 'mastercard', last4: '4444', authorised_ms: hour_ms, years: null },
}

/** `cst_` is another prefix for the same ids. */
export const methodId = (given: string): string => given.replace(/^cst_/, 'pm_')

/** The last month in which a card of this kind is good, if it is saved now. */
export function expiryOf({ years }: PublishedCard, now: Date): { exp_month: number; exp_year: number } {
  if (years === null) return { exp_month: now.getUTCMonth() + 1, exp_year: now.getUTCFullYear() }
  return { exp_month: 12, exp_year: now.getUTCFullYear() + years }
}

/** A card is good through the last day of its month. */
export const isExpired = ({ exp_month, exp_year }: { exp_month: number; exp_year: number }, now: Date): boolean =>
  now.getTime() >= Date.UTC(exp_year, exp_month, 1)
