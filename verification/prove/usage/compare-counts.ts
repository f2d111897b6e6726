import type { ProxiedCall } from './counting-proxy.ts'

/** Calls and failed ones of an operation, as `usage.current` has them. */
export interface CountedOperation {
  readonly operation: string
  readonly call_count: number
  readonly failed_call_count: number
}

/** From the moment when all counts were known to be written until the last answer of the process that was killed has arrived. */
export interface UnwrittenPeriod {
  readonly from_ms: number
  readonly to_ms: number
}

interface UsageComparison {
  /** Answered calls that are not counted; negative if more are counted than were answered. */
  readonly lost: number
  readonly violations: readonly string[]
}

/**
 * Compares the counts of each operation with the calls that the proxy forwarded. All answered calls must be counted,
 * except calls that were answered in one of the periods; nothing may be counted that was not forwarded.
 */
export function compareCounts(
  calls: readonly ProxiedCall[],
  counted: readonly CountedOperation[],
  periods: readonly UnwrittenPeriod[],
): UsageComparison {
  const mayBeLost = ({ answer }: ProxiedCall): boolean =>
    answer === null || periods.some(({ from_ms, to_ms }) => from_ms <= answer.at_ms && answer.at_ms <= to_ms)
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
