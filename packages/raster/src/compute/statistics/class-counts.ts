import { RasterFailure } from '../../failures.ts'
import type { ClassValueCount } from './measures.ts'

/** More classes than these are not answered, of one band or of all areas of one request. */
export const max_counted_classes = 65_536

/** Counts every distinct value. Fails with `request` beyond 65,536 of them. */
export function countClassValues(
  classes: Map<number, number>,
  values: Float64Array,
  weights: Float64Array | null,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const value = values[i]!
    classes.set(value, (classes.get(value) ?? 0) + (weights === null ? 1 : weights[i]!))
  }
  if (classes.size > max_counted_classes) {
    throw new RasterFailure(
      'request',
      `a band with more than ${max_counted_classes} different values has no classes to count`,
    )
  }
}

export function finishClassCounts(classes: ReadonlyMap<number, number>): ClassValueCount[] {
  return [...classes].map(([value, count]) => ({ value, count })).sort((a, b) => a.value - b.value)
}
