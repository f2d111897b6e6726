import type { ProxiedCall } from './counting-proxy.ts'

/** Calls and failed ones of an operation, as `usage.current` has them. */
export interface CountedOperation {
  readonly operation: string
  readonly call_count: number
  readonly failed_call_count: number
}

/** Times of kills, and how long before one a call may have been answered without being counted. */
export interface LossBound {
  readonly kills_ms: readonly number[]
  readonly interval_ms: number
}

export interface UsageComparison {
  /** Answered calls that are not counted; negative if more are counted than were answered. */
  readonly lost: number
  readonly violations: readonly string[]
}

/**
 * Compares the counts of each operation with what the proxy saw. All that was answered must be counted, except calls that were
 * answered less than the interval before a kill; nothing may be counted that was not forwarded.
 */
export function compareCounts(
  calls: readonly ProxiedCall[],
  counted: readonly CountedOperation[],
  { kills_ms, interval_ms }: LossBound,
): UsageComparison {
  const mayBeLost = ({ answer }: ProxiedCall): boolean =>
    answer === null || kills_ms.some((kill_ms) => answer.at_ms <= kill_ms && kill_ms - answer.at_ms < interval_ms)
  const violations: string[] = []
  let lost = 0
  for (const [operation, forwarded] of Map.groupBy(calls, (call) => call.operation)) {
    const row = counted.find((other) => other.operation === operation)
    const answered = forwarded.filter(({ answer }) => answer !== null)
    const certain = forwarded.filter((call) => !mayBeLost(call))
    const certainErrors = certain.filter(({ answer }) => answer?.isError)
    const [count, failed] = [row?.call_count ?? 0, row?.failed_call_count ?? 0]
    lost += answered.length - count
    if (count < certain.length) violations.push(`${operation}: ${count} counted of at least ${certain.length} calls`)
    if (count > forwarded.length) violations.push(`${operation}: ${count} counted of ${forwarded.length} calls`)
    if (failed < certainErrors.length)
      violations.push(`${operation}: ${failed} counted as failed of at least ${certainErrors.length}`)
  }
  return { lost, violations }
}
