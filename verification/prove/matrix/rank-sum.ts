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

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

export function compareTimes(first: readonly number[], second: readonly number[]): TimeDifference {
  const sorted = second.toSorted((a, b) => a - b)
  let longer = 0
  for (const value of first) longer += countBelow(sorted, value) - (sorted.length - countUpTo(sorted, value))
  return { ratio: median(first) / median(second), effect: longer / (first.length * second.length) }
}

/** The number of sorted values that are less. */
function countBelow(sorted: readonly number[], value: number): number {
  const at = sorted.findIndex((one) => one >= value)
  return at === -1 ? sorted.length : at
}

/** The number of sorted values that are not greater. */
function countUpTo(sorted: readonly number[], value: number): number {
  const at = sorted.findIndex((one) => one > value)
  return at === -1 ? sorted.length : at
}
