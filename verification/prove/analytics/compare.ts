/** The largest difference that was seen, and what differs by more than is allowed. */
export interface JudgeComparison {
  largest: number
  compared: number
  readonly violations: string[]
}

export const startComparison = (): JudgeComparison => ({ largest: 0, compared: 0, violations: [] })

/** Maximum relative difference from the reference, and the minimum size of values that it applies to. */
interface Tolerance {
  readonly relative: number
  /** Smaller values are compared as if they were this large. */
  readonly smallest: number
}

const ofValues: Tolerance = { relative: 1e-6, smallest: 1e-3 }
/** Of a whole pixel: exactextract has fractions as 32-bit numbers, and lines in degrees are followed piece by piece. */
const ofFractions: Tolerance = { relative: 1e-6, smallest: 1 }
const exact: Tolerance = { relative: 0, smallest: 1 }

type CompareFunction = (comparison: JudgeComparison, label: string, own: unknown, judged: unknown) => void

const compareBy =
  (tolerance: Tolerance): CompareFunction =>
  (comparison, label, own, judged) =>
    compareWithin(comparison, label, [own, judged], tolerance)

/** Compares two values, or two lists of them. */
export const compare = compareBy(ofValues)
/** The same for sums of fractions of pixels. */
export const compareFractions = compareBy(ofFractions)
/** The same for counts of whole pixels, and for values that are not computed. */
export const compareExactly = compareBy(exact)

function compareWithin(
  comparison: JudgeComparison,
  label: string,
  [own, judged]: readonly [own: unknown, judged: unknown],
  { relative, smallest }: Tolerance,
): void {
  if (Array.isArray(own) && Array.isArray(judged)) {
    if (own.length !== judged.length) comparison.violations.push(`${label}: ${own.length} for ${judged.length} values`)
    else
      for (const [at, value] of own.entries())
        compareWithin(comparison, `${label} ${at}`, [value, judged[at] as unknown], { relative, smallest })
    return
  }
  comparison.compared++
  if (own === judged || (own === null && judged === undefined)) return
  const difference =
    typeof own === 'number' && typeof judged === 'number'
      ? Math.abs(own - judged) / Math.max(smallest, Math.abs(judged))
      : Infinity
  if (difference <= relative) comparison.largest = Math.max(comparison.largest, difference)
  else comparison.violations.push(`${label}: ${String(own)} for ${String(judged)}`)
}
