import { roundHalfEven, wholeNumber } from '../rounding.ts'

/** The ISO 3166 codes and the English name. No country counts as Australia: the currency and the seller are Australian. */
const australia = new Set(['', 'AU', 'AUS', 'AUSTRALIA'])

/** The country as an organization wrote it, in any case; null where it wrote none. */
export const isAustralian = (country: string | null): boolean => australia.has((country ?? '').trim().toUpperCase())

/**
 * The goods and services tax within a total that includes it, in cents: its eleventh part (a tenth on top of the price),
 * rounded half-even once for the whole document and never line by line. Null outside of Australia, where there is none.
 */
export function gstWithin(total_cents: number, country: string | null): number | null {
  return isAustralian(country) ? wholeNumber(roundHalfEven(BigInt(total_cents), 11n)) : null
}
