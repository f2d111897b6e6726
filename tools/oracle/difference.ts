import type { Samples } from '@swath/raster'

/** How two arrays of samples differ. */
export interface Difference {
  readonly compared: number
  /** Samples that are not the same; NaN is the same as NaN. */
  readonly unequal: number
  /** Samples further apart than the step given. */
  readonly beyond: number
  readonly largest: number
}

/**
 * Compares planes of samples where a mask (one byte a pixel, for all bands) is not 0; all of them without a mask.
 *
 * @param step differences up to this much are not counted as `beyond`.
 */
export function differenceOf(ours: Samples, theirs: Samples, step: number, mask: Uint8Array | null = null): Difference {
  if (ours.length !== theirs.length)
    return { compared: theirs.length, unequal: theirs.length, beyond: theirs.length, largest: Infinity }
  const pixels = mask?.length ?? 0
  let [compared, unequal, beyond, largest] = [0, 0, 0, 0]
  for (let at = 0; at < theirs.length; at++) {
    if (mask !== null && mask[at % pixels] === 0) continue
    compared++
    const [a, b] = [ours[at]!, theirs[at]!]
    if (Object.is(a, b) || a === b) continue
    unequal++
    const apart = Math.abs(a - b)
    if (!(apart <= step)) beyond++
    if (!(apart <= largest)) largest = Number.isNaN(apart) ? Infinity : apart
  }
  return { compared, unequal, beyond, largest }
}

/** How many pixels are valid in one mask and not in the other. */
export function masksApart(ours: Uint8Array, theirs: Uint8Array): number {
  if (ours.length !== theirs.length) return theirs.length
  let apart = 0
  for (let at = 0; at < theirs.length; at++) if ((ours[at] === 0) !== (theirs[at] === 0)) apart++
  return apart
}

/** One where both are valid. */
export function bothValid(ours: Uint8Array, theirs: Uint8Array): Uint8Array {
  return theirs.map((value, at) => (value !== 0 && ours[at] !== 0 ? 255 : 0))
}

/** The pixels of a square mask that have all eight neighbours. */
export function withoutBorder(mask: Uint8Array, size: number): Uint8Array {
  const isInner = (at: number): boolean => at % size > 0 && at % size < size - 1
  const across = mask.map((value, at) => (value && isInner(at) && mask[at - 1] && mask[at + 1] ? 255 : 0))
  return across.map((value, at) => (value && across[at - size] && across[at + size] ? 255 : 0))
}

/** The lowest and the highest number where the mask is not 0; NaN is passed over. */
export function rangeOf(samples: Samples, mask: Uint8Array): readonly [lowest: number, highest: number] {
  let [lowest, highest] = [Infinity, -Infinity]
  for (let at = 0; at < samples.length; at++) {
    const value = samples[at]!
    if (mask[at % mask.length] === 0 || Number.isNaN(value)) continue
    if (value < lowest) lowest = value
    if (value > highest) highest = value
  }
  return [lowest, highest]
}
