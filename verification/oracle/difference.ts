import type { SampleArray } from '@swath/raster'

/** Difference of two arrays of samples. */
export interface SampleDifference {
  readonly compared: number
  /** Samples that are not equal; NaN equals NaN. */
  readonly unequal: number
  /** Samples whose difference exceeds the step. */
  readonly beyond: number
  readonly largest: number
}

interface DifferenceOptions {
  /** Compares only where it is not 0: one byte per pixel, for all bands. */
  readonly mask?: Uint8Array
  /** Treats NaN in `theirs` as equal to anything. */
  readonly ignoreNaN?: boolean
}

/**
 * Compares planes of samples.
 *
 * @param step differences up to this much are not counted as `beyond`.
 */
export function compareSamples(
  ours: SampleArray,
  theirs: SampleArray,
  step: number,
  { mask, ignoreNaN = false }: DifferenceOptions = {},
): SampleDifference {
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
      const difference = Math.abs(a[plane + pixel]! - b[plane + pixel]!)
      if (difference === 0 || (difference !== difference && isSame(a[plane + pixel]!, b[plane + pixel]!, ignoreNaN)))
        continue
      unequal++
      if (!(difference <= step)) beyond++
      if (!(difference <= largest)) largest = Number.isNaN(difference) ? Infinity : difference
    }
  return { compared, unequal, beyond, largest }
}

/** Equality of numbers whose difference is NaN: infinities and NaN. */
function isSame(ours: number, theirs: number, ignoreNaN: boolean): boolean {
  return Object.is(ours, theirs) || (ignoreNaN && Number.isNaN(theirs))
}

function doublesOf(samples: SampleArray): Float64Array {
  return samples instanceof Float64Array ? samples : new Float64Array(samples)
}

function sameBytes(a: SampleArray, b: SampleArray): boolean {
  return a.constructor === b.constructor && Buffer.compare(bytesOf(a), bytesOf(b)) === 0
}

function bytesOf({ buffer, byteOffset, byteLength }: SampleArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

function countSet(mask: Uint8Array): number {
  let count = 0
  for (let at = 0; at < mask.length; at++) if (mask[at] !== 0) count++
  return count
}

/** Number of pixels that are valid in one mask and not in the other. */
export function countMaskDifferences(ours: Uint8Array, theirs: Uint8Array): number {
  if (ours.length !== theirs.length) return theirs.length
  let difference = 0
  for (let at = 0; at < theirs.length; at++) if ((ours[at] === 0) !== (theirs[at] === 0)) difference++
  return difference
}

/** The minimum and maximum where the mask is not 0; NaN is skipped. */
export function validRange(samples: SampleArray, mask: Uint8Array): readonly [lowest: number, highest: number] {
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
