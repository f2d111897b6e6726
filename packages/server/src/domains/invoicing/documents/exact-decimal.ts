import { parseDecimal } from '../../ledger/rounding.ts'

/**
 * Writes a decimal times 10^-shift without rounding, with at least `min_digits` after the point and no further zeros:
 * `formatExactDecimal(350, 2)` is `3.50`.
 */
export function formatExactDecimal(value: string | number, shift = 0, min_digits = shift): string {
  const { digits, scale } = parseDecimal(value)
  const places = scale + shift
  const text = String(digits < 0n ? -digits : digits).padStart(places + 1, '0')
  const fraction = text
    .slice(text.length - places)
    .replace(/(?<!0)0+$/, '')
    .padEnd(min_digits, '0')
  const integerPart = text.slice(0, text.length - places)
  return `${digits < 0n ? '-' : ''}${integerPart}${fraction === '' ? '' : `.${fraction}`}`
}
