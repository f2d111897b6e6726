import type { BandHistogram } from './measures.ts'

/** A histogram while values come in. */
export interface HistogramBins {
  readonly edges: Float64Array
  readonly counts: Float64Array
}

/**
 * Bins of equal width between two edges; one value alone gets half a unit on either side. The edges are those of
 * numpy.histogram.
 */
export function startHistogramBins(count: number, lowest: number, highest: number): HistogramBins {
  const [first, last] = lowest === highest ? [lowest - 0.5, highest + 0.5] : [lowest, highest]
  const step = (last - first) / count
  const edges = Float64Array.from({ length: count + 1 }, (_, edge) => first + edge * step)
  edges[count] = last
  return { edges, counts: new Float64Array(count) }
}

/** Adds some values; what lies outside of the edges is left out. The edges decide, not the division that finds the bin. */
export function addToHistogramBins(
  { edges, counts }: HistogramBins,
  values: Float64Array,
  weights: Float64Array | null,
  count: number,
): void {
  const most = counts.length - 1
  const first = edges[0]!
  const last = edges[most + 1]!
  const width = last - first
  for (let i = 0; i < count; i++) {
    const value = values[i]!
    if (value < first || value > last) continue
    let bin = Math.min(most, Math.floor(((value - first) / width) * (most + 1)))
    if (value < edges[bin]!) bin--
    else if (bin < most && value >= edges[bin + 1]!) bin++
    counts[bin]! += weights === null ? 1 : weights[i]!
  }
}

export function finishHistogramBins({ edges, counts }: HistogramBins): BandHistogram {
  return { counts: [...counts], edges: [...edges] }
}
