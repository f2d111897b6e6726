/** The quantile of the values by nearest rank; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN
}

/** Latency statistics. */
export interface LatencySummary {
  readonly count: number
  readonly median_ms: number
  readonly p95_ms: number
  readonly max_ms: number
}

export const summarize = (times_ms: readonly number[]): LatencySummary => ({
  count: times_ms.length,
  median_ms: quantile(times_ms, 0.5),
  p95_ms: quantile(times_ms, 0.95),
  max_ms: quantile(times_ms, 1),
})

/** Counts by outcome; an outcome is the response status, or the reason why there was no response. */
export type OutcomeTally = Map<string, number>

export const countOutcome = (tally: OutcomeTally, outcome: string | number, times = 1): void =>
  void tally.set(String(outcome), (tally.get(String(outcome)) ?? 0) + times)

export const totalCount = (tally: OutcomeTally): number => [...tally.values()].reduce((sum, times) => sum + times, 0)

/** `200: 12, 429: 3` */
export const describeTally = (tally: OutcomeTally): string =>
  [...tally]
    .toSorted(([left], [right]) => left.localeCompare(right))
    .map(([outcome, times]) => `${outcome}: ${times}`)
    .join(', ') || 'none'
