/** An exact decimal number: digits × 10^-scale. */
export interface ExactDecimal {
  readonly digits: bigint
  readonly scale: number
}

const decimalPattern = /^(?<sign>-?)(?<whole>\d{1,30})(?:\.(?<fraction>\d{1,30}))?(?:e(?<exponent>[+-]?\d{1,2}))?$/

/**
 * Parses decimal text such as `12.345`. A number is taken as the decimal it prints as, so 0.1 is exactly one tenth.
 * Throws RangeError for other input, also for more than 30 digits before or after the point.
 */
export function parseDecimal(value: number | string): ExactDecimal {
  const parts = decimalPattern.exec(String(value))?.groups
  if (!parts) throw new RangeError(`not a decimal number: ${value}`)
  const { sign, whole, fraction = '', exponent = '0' } = parts
  const digits = BigInt(`${sign}${whole}${fraction}`)
  const scale = fraction.length - Number(exponent)
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale }
}

/** Rounds a fraction to the nearest integer, ties to even (IEEE 754 roundTiesToEven). */
export function roundHalfEven(numerator: bigint, denominator: bigint): bigint {
  if (denominator < 0n) return roundHalfEven(-numerator, -denominator)
  const truncated = numerator / denominator
  const left = numerator % denominator
  const twice = 2n * (left < 0n ? -left : left)
  const away = twice > denominator || (twice === denominator && truncated % 2n !== 0n)
  if (!away) return truncated
  return truncated + (left < 0n ? -1n : 1n)
}

/** Converts a bigint to a number. Throws RangeError if it is not a safe integer. */
export function toSafeInteger(value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError(`not a safe integer: ${value}`)
  return number
}

/**
 * The amount of a line in credits (cents): quantity × rate, exact, rounded up to an integer. All amounts that are held,
 * charged, invoiced or counted towards a commitment are computed here. Throws RangeError beyond safe integers.
 */
export function computeLineAmount(quantity: number | string, rate: number | string): number {
  const [left, right] = [parseDecimal(quantity), parseDecimal(rate)]
  const divisor = 10n ** BigInt(left.scale + right.scale)
  const product = left.digits * right.digits
  const truncated = product / divisor
  return toSafeInteger(product > 0n && product % divisor !== 0n ? truncated + 1n : truncated)
}
