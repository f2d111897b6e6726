import type { ValueRange } from '../state/style.ts'

export interface Histogram {
  readonly counts: readonly number[]
  /** One more than counts. */
  readonly edges: readonly number[]
}

/** The value below which a part (0 to 1) of the pixels lies, interpolated within its bin. */
export function quantile({ counts, edges }: Histogram, part: number): number {
  const wanted = part * counts.reduce((sum, count) => sum + count, 0)
  let below = 0
  for (const [at, count] of counts.entries()) {
    if (count > 0 && below + count >= wanted) {
      const [low, high] = [edges[at]!, edges[at + 1]!]
      return low + ((high - low) * Math.max(0, wanted - below)) / count
    }
    below += count
  }
  return edges.at(-1) ?? 0
}

/** The platform's default stretch. */
export const defaultRange = (histogram: Histogram): ValueRange => [quantile(histogram, 0.02), quantile(histogram, 0.98)]

/** The part of the values worth drawing: without the rarest, with a margin, and with the whole chosen range. */
export function visibleRange(histogram: Histogram, [low, high]: ValueRange): ValueRange {
  const [first, last] = [quantile(histogram, 0.002), quantile(histogram, 0.998)]
  const margin = (last - first) * 0.05
  const [from, to] = [Math.min(first - margin, low), Math.max(last + margin, high)]
  return from < to ? [from, to] : [from - 0.5, to + 0.5]
}

/** The outline of a histogram in a box, as the `d` of an SVG path. */
export function histogramPath(histogram: Histogram, [from, to]: ValueRange, width: number, height: number): string {
  const { counts, edges } = histogram
  const bins = counts.flatMap((count, at) => (edges[at + 1]! > from && edges[at]! < to ? [{ count, low: edges[at]!, high: edges[at + 1]! }] : [])) // prettier-ignore
  const highest = Math.max(1, ...bins.map(({ count }) => count))
  const x = (value: number): string => (((Math.min(Math.max(value, from), to) - from) / (to - from)) * width).toFixed(1)
  const y = (count: number): string => (height - (count / highest) * (height - 2)).toFixed(1)
  const steps = bins.map(({ count, low, high }) => `L${x(low)},${y(count)}L${x(high)},${y(count)}`)
  const first = bins[0]
  return first ? `M${x(first.low)},${height}${steps.join('')}L${x(bins.at(-1)!.high)},${height}Z` : ''
}

/** Four digits that matter, without an exponent for the sizes that samples have. */
export function formatValue(value: number): string {
  if (value !== 0 && (Math.abs(value) >= 1e7 || Math.abs(value) < 1e-4)) return value.toExponential(2)
  return value.toLocaleString('en', { maximumSignificantDigits: Math.abs(value) >= 1000 ? 5 : 4 })
}
