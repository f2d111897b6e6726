/** A decimal number as digits × 10^-scale: exact, the way people write amounts and databases keep them. */
export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

const written = /^(?<sign>-?)(?<whole>\d{1,30})(?:\.(?<fraction>\d{1,30}))?(?:e(?<exponent>[+-]?\d{1,2}))?$/

/**
 * Reads decimal text such as `12.345`. A number means the decimal that it prints as, so 0.1 is a tenth here and not the
 * float beside it. Throws RangeError for anything else, beyond 30 digits on a side too.
 */
export function readDecimal(value: number | string): Decimal {
  const parts = written.exec(String(value))?.groups
  if (!parts) throw new RangeError(`not a decimal number: ${value}`)
  const { sign, whole, fraction = '', exponent = '0' } = parts
  const digits = BigInt(`${sign}${whole}${fraction}`)
  const scale = fraction.length - Number(exponent)
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale }
}

/** The whole number nearest to a fraction; halves go to the even one (IEEE 754 roundTiesToEven). */
export function roundHalfEven(numerator: bigint, denominator: bigint): bigint {
  if (denominator < 0n) return roundHalfEven(-numerator, -denominator)
  const towardsZero = numerator / denominator
  const left = numerator % denominator
  const twice = 2n * (left < 0n ? -left : left)
  const away = twice > denominator || (twice === denominator && towardsZero % 2n !== 0n)
  if (!away) return towardsZero
  return towardsZero + (left < 0n ? -1n : 1n)
}

/** The same number outside of bigint. Throws RangeError where a number could not hold it exactly. */
export function wholeNumber(value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError(`beyond the whole numbers that are exact: ${value}`)
  return number
}

/**
 * The amount of a line in credits (cents): quantity × rate, exact, rounded up to a whole one. The only form of an amount
 * that is charged, held, counted under a contract and invoiced. Throws RangeError beyond the integers that are exact.
 */
export function lineAmount(quantity: number | string, rate: number | string): number {
  const [left, right] = [readDecimal(quantity), readDecimal(rate)]
  const divisor = 10n ** BigInt(left.scale + right.scale)
  const product = left.digits * right.digits
  const towardsZero = product / divisor
  return wholeNumber(product > 0n && product % divisor !== 0n ? towardsZero + 1n : towardsZero)
}
