import { validationProblem } from '../../engine/problem.ts'
import { parseDecimal } from './rounding.ts'

/** Converts cents, or credits, to dollars. */
export const centsToAud = (cents: number): number => cents / 100

/** Converts dollars of an input to integer cents. Throws `validation` for fractions of a cent. */
export function audToCents(aud: number, path: string): number {
  const cents = Math.round(aud * 100)
  // Exactly the numbers with at most two decimals are equal to their rounded cents divided by 100.
  if (!Number.isSafeInteger(cents) || cents / 100 !== aud) {
    throw validationProblem([{ path, message: 'must be whole cents: at most two decimals' }])
  }
  return cents
}

/** Moves the point of decimal text to the right, or to the left if `places` is negative; exact. */
export function shiftDecimalPoint(value: string, places: number): string {
  const { digits, scale } = parseDecimal(value)
  const newScale = scale - places
  if (newScale <= 0) return String(digits * 10n ** BigInt(-newScale))
  const text = String(digits).padStart(newScale + 1, '0')
  return `${text.slice(0, -newScale)}.${text.slice(-newScale)}`.replace(/\.0+$|(?<!0)0+$/, '')
}

/** Converts a rate in dollars to a rate in credits. */
export const toCreditsRate = (aud: string): string => shiftDecimalPoint(aud, 2)

/** Converts a rate in credits to dollars, by decimal shift and not by inexact division. */
export const toAudRate = (credits: string): number => Number(shiftDecimalPoint(credits, -2))
