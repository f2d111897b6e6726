import { isAustralian } from './gst.ts'

/** The codes of all regions with their English names; `Intl` has no list of them. */
function listCountries(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  return new Map(codes.flatMap((code) => (names.of(code) ? [[names.of(code)!.toUpperCase(), code] as const] : [])))
}

/**
 * The ISO 3166 code of a country that an organization entered as a code or an English name; an empty one counts as Australia,
 * like for GST. Null for other text.
 */
export function toCountryCode(country: string | null): string | null {
  if (isAustralian(country)) return 'AU'
  const text = country!.trim().toUpperCase()
  const countries = listCountries()
  return countries.get(text) ?? ([...countries.values()].includes(text) ? text : null)
}

/** The English name of a country from its ISO 3166 code; other text is unchanged. */
export const toCountryName = (country: string): string =>
  /^[A-Z]{2}$/.test(country) ? (new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country) : country
