/** Rank of a percentile among the sorted values: `part` of the way between two positions. */
export interface QuantileRank {
  /** The value wanted is the smallest one up to which at least this much has been counted. */
  readonly lower: number
  readonly upper: number
  readonly part: number
}

/**
 * The place of a percentile among values of which `mass` have been counted. Whole pixels: numpy's default, `linear`. Pixels with
 * weights: the smallest value up to which that part of the weight lies, which numpy calls `inverted_cdf`.
 */
export function computePercentilePosition(percentile: number, mass: number, weighted: boolean): QuantileRank {
  if (weighted) {
    const target = (percentile / 100) * mass
    return { lower: target, upper: target, part: 0 }
  }
  const position = (mass - 1) * (percentile / 100)
  const rank = Math.floor(position)
  return { lower: rank + 1, upper: Math.min(rank + 2, mass), part: position - rank }
}

/** The value between two others, rounded as numpy rounds it. */
function interpolate(low: number, high: number, part: number): number {
  if (low === high || part === 0) return low
  const step = high - low
  return part < 0.5 ? low + step * part : high - step * (1 - part)
}

/** All places in ascending order, each once. */
export function listTargetRanks(places: readonly QuantileRank[]): number[] {
  const targets = places.flatMap(({ lower, upper, part }) => (part === 0 ? [lower] : [lower, upper]))
  return [...new Set(targets)].sort((a, b) => a - b)
}

/** Computes the percentiles from the values at all targets. */
export function computePercentileValues(places: readonly QuantileRank[], found: ReadonlyMap<number, number>): number[] {
  return places.map(({ lower, upper, part }) => {
    const low = found.get(lower)!
    return part === 0 ? low : interpolate(low, found.get(upper)!, part)
  })
}

/** A bin that holds some of the targets, and how much is counted before it. */
export interface QuantileBin {
  readonly bin: number
  readonly below: number
  readonly targets: readonly number[]
}

/** Finds the bins, among `count` from `first`, in which ascending targets lie. `below` is what was counted before the first. */
export function locateRanksInBins(
  masses: Float64Array,
  first: number,
  count: number,
  below: number,
  targets: readonly number[],
): QuantileBin[] {
  const located: { bin: number; below: number; targets: number[] }[] = []
  let counted = below
  let next = 0
  let last = { bin: 0, below }
  for (let bin = 0; bin < count && next < targets.length; bin++) {
    const mass = masses[first + bin]!
    if (mass === 0) continue
    last = { bin, below: counted }
    counted += mass
    const from = next
    while (next < targets.length && targets[next]! <= counted) next++
    if (next > from) located.push({ ...last, targets: targets.slice(from, next) })
  }
  // Sums of weights may end a hair below the last target.
  if (next < targets.length) located.push({ ...last, targets: targets.slice(next) })
  return located
}
