import {
  sortable_key_head_cardinality,
  getSortableKeyHead,
  getSortableKeyRest,
  sortable_key_rest_cardinality,
  decodeSortableKey,
  splitValuesIntoWords,
} from './sortable-keys.ts'
import { locateRanksInBins } from './quantiles.ts'

const max_bits = 16

/** A stretch of keys that share a head, in which some targets lie. */
interface Stretch {
  readonly head: number
  /** The first rest, and the number of rests: a power of two. */
  readonly start: number
  readonly width: number
  readonly below: number
  readonly targets: readonly number[]
}

/**
 * Looks for values by their place in the order of all, in passes over the values: each pass counts the stretches in which
 * targets lie in up to 65,536 parts and keeps the parts that still hold one, so three passes after the first always do.
 */
export interface QuantileSearch {
  readonly found: Map<number, number>
  open: readonly Stretch[]
}

/** Begins with the counts by head, which the first pass has made. */
export function startQuantileSearch(heads: Float64Array, targets: readonly number[]): QuantileSearch {
  const located = locateRanksInBins(heads, 0, sortable_key_head_cardinality, 0, targets)
  return {
    found: new Map(),
    open: located.map(({ bin, below, targets: inside }) => ({
      head: bin,
      start: 0,
      width: sortable_key_rest_cardinality,
      below,
      targets: inside,
    })),
  }
}

/** Counts values by the head of their sortable key: its sign, exponent and first bits. */
export function countSortableKeyHeads(
  heads: Float64Array,
  values: Float64Array,
  weights: Float64Array | null,
  count: number,
): void {
  const words = splitValuesIntoWords(values, count)
  for (let i = 0; i < count; i++) heads[getSortableKeyHead(words[2 * i + 1]!)]! += weights === null ? 1 : weights[i]!
}

/** One pass: the counters of all open stretches. */
export interface QuantileSearchPass {
  readonly bins: number
  readonly counters: Float64Array
  /** The first stretch of each head, -1 where there is none. */
  readonly firstOfHead: Int32Array
  readonly heads: Float64Array
  readonly starts: Float64Array
  readonly widths: Float64Array
  readonly lowest: Float64Array
  readonly highest: Float64Array
}

/**
 * @param most how many values may come: fewer need fewer counters.
 * @param counters how many there may be.
 */
export function startQuantilePass({ open }: QuantileSearch, most: number, counters: number): QuantileSearchPass {
  const affordable = Math.floor(Math.log2(counters / open.length))
  const useful = Math.ceil(Math.log2(most + 1)) + 1
  const widest = Math.log2(Math.min(...open.map(({ width }) => width)))
  const bins = 2 ** Math.max(1, Math.min(max_bits, affordable, useful, widest))
  const firstOfHead = new Int32Array(sortable_key_head_cardinality).fill(-1)
  for (let at = open.length - 1; at >= 0; at--) firstOfHead[open[at]!.head] = at
  return {
    bins,
    counters: new Float64Array(bins * open.length),
    firstOfHead,
    heads: Float64Array.from(open, ({ head }) => head),
    starts: Float64Array.from(open, ({ start }) => start),
    widths: Float64Array.from(open, ({ width }) => width),
    lowest: new Float64Array(open.length).fill(Infinity),
    highest: new Float64Array(open.length).fill(-Infinity),
  }
}

/**
 * Adds some values to a pass. Those that lie in an open stretch are moved to the front of the arrays, in their order;
 * answers how many they are.
 */
export function addToQuantilePass(
  pass: QuantileSearchPass,
  values: Float64Array,
  weights: Float64Array | null,
  count: number,
): number {
  const { bins, counters, firstOfHead, heads, starts, widths, lowest, highest } = pass
  const words = splitValuesIntoWords(values, count)
  let kept = 0
  for (let i = 0; i < count; i++) {
    const high = words[2 * i + 1]!
    const head = getSortableKeyHead(high)
    let at = firstOfHead[head]!
    if (at < 0) continue
    const rest = getSortableKeyRest(high, words[2 * i]!)
    while (at < heads.length && heads[at] === head && rest >= starts[at]! + widths[at]!) at++
    if (at === heads.length || heads[at] !== head || rest < starts[at]!) continue
    const value = values[i]!
    const weight = weights === null ? 1 : weights[i]!
    counters[at * bins + Math.floor(((rest - starts[at]!) / widths[at]!) * bins)]! += weight
    if (value < lowest[at]!) lowest[at] = value
    if (value > highest[at]!) highest[at] = value
    values[kept] = value
    if (weights !== null) weights[kept] = weight
    kept++
  }
  return kept
}

/** Ends a pass: determined quantiles move to `found`, the others stay open in narrower intervals. */
export function finishQuantilePass(search: QuantileSearch, pass: QuantileSearchPass): void {
  const { bins, counters, lowest, highest } = pass
  search.open = search.open.flatMap((stretch, at) => {
    const settle = (targets: readonly number[], value: number): [] => {
      for (const target of targets) search.found.set(target, value)
      return []
    }
    if (lowest[at] === highest[at]) return settle(stretch.targets, lowest[at]!)
    const width = stretch.width / bins
    return locateRanksInBins(counters, at * bins, bins, stretch.below, stretch.targets).flatMap(
      ({ bin, below, targets }) => {
        const start = stretch.start + bin * width
        if (width === 1) return settle(targets, decodeSortableKey(stretch.head, start))
        return [{ head: stretch.head, start, width, below, targets }]
      },
    )
  })
}
