import { median } from '../../bench/runner.ts'

/** How the times of two kinds of answers differ. */
export interface TimeDifference {
  /** Median of the first over that of the second. */
  readonly ratio: number
  /**
   * Cliff's delta, from the rank sum (Mann-Whitney): the probability that a time of the first is longer than one of the second,
   * less that of the opposite. 0: they cannot be told apart; 1: every time of the first is longer.
   */
  readonly effect: number
}

export function compareTimes(first: readonly number[], second: readonly number[]): TimeDifference {
  let longer = 0
  for (const a of first) for (const b of second) longer += Math.sign(a - b)
  return { ratio: median(first) / median(second), effect: longer / (first.length * second.length) }
}
