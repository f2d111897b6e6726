import type { Samples } from '@swath/raster'

/** How two arrays of samples differ. */
export interface Difference {
  readonly compared: number
  /** Samples that are not equal; NaN equals NaN. */
  readonly unequal: number
  /** Samples whose difference exceeds the step. */
  readonly beyond: number
  readonly largest: number
}

export interface DifferenceOptions {
  /** Compares only where it is not 0: one byte per pixel, for all bands. */
  readonly mask?: Uint8Array
  /** Treats NaN in `theirs` as equal to anything. */
  readonly anyForNaN?: boolean
}

/**
 * Compares planes of samples.
 *
 * @param step differences up to this much are not counted as `beyond`.
 */
export function differenceOf(
  ours: Samples,
  theirs: Samples,
  step: number,
  { mask, anyForNaN = false }: DifferenceOptions = {},
): Difference {
  const { length } = theirs
  if (ours.length !== length) return { compared: length, unequal: length, beyond: length, largest: Infinity }
  const pixels = mask?.length ?? length
  if (sameBytes(ours, theirs)) {
    const compared = mask ? countSet(mask) * Math.round(length / pixels) : length
    return { compared, unequal: 0, beyond: 0, largest: 0 }
  }
  // One array type for all sample types, so that the loop is compiled once.
  const [a, b] = [doublesOf(ours), doublesOf(theirs)]
  let [compared, unequal, beyond, largest] = [0, 0, 0, 0]
  for (let plane = 0; plane < length; plane += pixels)
    for (let pixel = 0; pixel < pixels; pixel++) {
      if (mask !== undefined && mask[pixel] === 0) continue
      compared++
      const apart = Math.abs(a[plane + pixel]! - b[plane + pixel]!)
      if (apart === 0 || (apart !== apart && isSame(a[plane + pixel]!, b[plane + pixel]!, anyForNaN))) continue
      unequal++
      if (!(apart <= step)) beyond++
      if (!(apart <= largest)) largest = Number.isNaN(apart) ? Infinity : apart
    }
  return { compared, unequal, beyond, largest }
}

/** Equality of numbers whose difference is NaN: infinities and NaN. */
function isSame(ours: number, theirs: number, anyForNaN: boolean): boolean {
  return Object.is(ours, theirs) || (anyForNaN && Number.isNaN(theirs))
}

function doublesOf(samples: Samples): Float64Array {
  return samples instanceof Float64Array ? samples : new Float64Array(samples)
}

function sameBytes(a: Samples, b: Samples): boolean {
  return a.constructor === b.constructor && Buffer.compare(bytesOf(a), bytesOf(b)) === 0
}

function bytesOf({ buffer, byteOffset, byteLength }: Samples): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

function countSet(mask: Uint8Array): number {
  let count = 0
  for (let at = 0; at < mask.length; at++) if (mask[at] !== 0) count++
  return count
}

/** How many pixels are valid in one mask and not in the other. */
export function masksApart(ours: Uint8Array, theirs: Uint8Array): number {
  if (ours.length !== theirs.length) return theirs.length
  let apart = 0
  for (let at = 0; at < theirs.length; at++) if ((ours[at] === 0) !== (theirs[at] === 0)) apart++
  return apart
}

/** The minimum and maximum where the mask is not 0; NaN is skipped. */
export function rangeOf(samples: Samples, mask: Uint8Array): readonly [lowest: number, highest: number] {
  const numbers = doublesOf(samples)
  let [lowest, highest] = [Infinity, -Infinity]
  for (let plane = 0; plane < numbers.length; plane += mask.length)
    for (let pixel = 0; pixel < mask.length; pixel++) {
      if (mask[pixel] === 0) continue
      const value = numbers[plane + pixel]!
      // Comparisons with NaN are false.
      if (value < lowest) lowest = value
      if (value > highest) highest = value
    }
  return [lowest, highest]
}
