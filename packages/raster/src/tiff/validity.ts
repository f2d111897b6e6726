import type { Samples } from '../types.ts'

/** Clears the mask where the alpha plane (beginning at `start`) is 0. */
export function markAlpha(mask: Uint8Array, data: Samples, start: number): void {
  for (let at = 0; at < mask.length; at++) if (data[start + at] === 0) mask[at] = 0
}

/**
 * Clears the mask where every one of the given planes holds nodata. A number that is not a number is nodata in any file
 * of floating-point samples, whether the file says so or not.
 */
export function markNodata(
  mask: Uint8Array,
  data: Samples,
  size: number,
  places: readonly number[],
  nodata: number | null,
): void {
  const floating = data instanceof Float32Array || data instanceof Float64Array
  if (places.length === 0 || (nodata === null && !floating)) return
  const starts = places.map((place) => place * size)
  const value = nodata ?? Number.NaN
  for (let at = 0; at < size; at++) {
    if (mask[at] !== 0 && holdsNothing(data, starts, at, value)) mask[at] = 0
  }
}

function holdsNothing(data: Samples, starts: readonly number[], at: number, nodata: number): boolean {
  for (const start of starts) {
    const value = data[start + at]!
    // Only NaN differs from itself.
    if (value !== nodata && value === value) return false
  }
  return true
}
