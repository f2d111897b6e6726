/** The largest difference that was seen, and what differs by more than is allowed. */
export interface JudgeComparison {
  largest: number
  compared: number
  readonly violations: string[]
}

export const startComparison = (): JudgeComparison => ({ largest: 0, compared: 0, violations: [] })

/** Differences from the judge may be this large, relative to its value. */
export const relative_tolerance = 1e-6
/** Smaller values are compared as if they were this large: exactextract has fractions of pixels as 32-bit numbers. */
const smallest_value = 0.1

/** Compares two values, or two lists of them. */
export const compare = (comparison: JudgeComparison, label: string, own: unknown, judged: unknown): void =>
  compareWithin(comparison, label, [own, judged], relative_tolerance)

/** The same for counts of whole pixels, and for values that are not computed. */
export const compareExactly = (comparison: JudgeComparison, label: string, own: unknown, judged: unknown): void =>
  compareWithin(comparison, label, [own, judged], 0)

function compareWithin(
  comparison: JudgeComparison,
  label: string,
  [own, judged]: readonly [own: unknown, judged: unknown],
  tolerance: number,
): void {
  if (Array.isArray(own) && Array.isArray(judged)) {
    if (own.length !== judged.length) comparison.violations.push(`${label}: ${own.length} for ${judged.length} values`)
    else
      for (const [at, value] of own.entries())
        compareWithin(comparison, `${label} ${at}`, [value, judged[at] as unknown], tolerance)
    return
  }
  comparison.compared++
  if (own === judged || (own === null && judged === undefined)) return
  const difference =
    typeof own === 'number' && typeof judged === 'number'
      ? Math.abs(own - judged) / Math.max(smallest_value, Math.abs(judged))
      : Infinity
  if (difference <= tolerance) comparison.largest = Math.max(comparison.largest, difference)
  else comparison.violations.push(`${label}: ${String(own)} for ${String(judged)}`)
}
