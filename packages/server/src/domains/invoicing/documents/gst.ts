import { roundHalfEven, toSafeInteger } from '../../ledger/rounding.ts'

/** ISO 3166 codes and English name; an empty country counts as Australia, because currency and seller are Australian. */
const australianNames = new Set(['', 'AU', 'AUS', 'AUSTRALIA'])

/** True for Australia in any letter case, and for an organization without a country. */
export const isAustralian = (country: string | null): boolean =>
  australianNames.has((country ?? '').trim().toUpperCase())

/**
 * The goods and services tax included in a total, in cents: one eleventh (10% on top of the price), rounded half-even once
 * per document and not per line. Null outside Australia, where no GST applies.
 */
export function computeGst(total_cents: number, country: string | null): number | null {
  return isAustralian(country) ? toSafeInteger(roundHalfEven(BigInt(total_cents), 11n)) : null
}
