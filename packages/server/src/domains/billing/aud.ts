import { validationProblem } from '../../engine/problem.ts'
import { readDecimal } from './rounding.ts'

/** Cents, or credits, as dollars. */
export const audOf = (cents: number): number => cents / 100

/** Dollars of an input as whole cents. Throws `validation` for parts of a cent. */
export function centsOf(aud: number, path: string): number {
  const cents = Math.round(aud * 100)
  // A number with at most two decimals is the nearest one to its cents divided by 100, and no other is.
  if (!Number.isSafeInteger(cents) || cents / 100 !== aud) {
    throw validationProblem([{ path, message: 'must be whole cents: at most two decimals' }])
  }
  return cents
}

/** Decimal text with its point moved to the right, or (below zero) to the left: nothing is rounded. */
export function movedPoint(value: string, places: number): string {
  const { digits, scale } = readDecimal(value)
  const left = scale - places
  if (left <= 0) return String(digits * 10n ** BigInt(-left))
  const text = String(digits).padStart(left + 1, '0')
  return `${text.slice(0, -left)}.${text.slice(-left)}`.replace(/\.0+$|(?<!0)0+$/, '')
}

/** A rate in dollars as one in credits. */
export const creditsRate = (aud: string): string => movedPoint(aud, 2)

/** A rate in credits as dollars: the decimal that it is, and not the float beside it. */
export const rateAud = (credits: string): number => Number(movedPoint(credits, -2))
