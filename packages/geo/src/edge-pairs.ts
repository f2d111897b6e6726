import { createStepBudget, spendSteps, type StepBudget } from './step-budget.ts'

/** The edges of rings and lines as parallel arrays; repeated positions are no edges. */
export interface EdgeTable {
  readonly count: number
  /** Four numbers for each edge: x and y of its beginning and its end. */
  readonly ends: Float64Array
  /** Line or ring of each edge. */
  readonly line: Int32Array
  /** Its place there. */
  readonly place: Int32Array
  /** Number of edges of each line. */
  readonly line_counts: readonly number[]
}

type LinePositions = readonly (readonly number[])[]

/** On which side of an edge a point is: the sign. Both are places in `ends`. */
export function sideOf(ends: Float64Array, edge: number, point: number): number {
  const [ax, ay] = [ends[edge]!, ends[edge + 1]!]
  return (ends[edge + 2]! - ax) * (ends[point + 1]! - ay) - (ends[point]! - ax) * (ends[edge + 3]! - ay)
}

export function createEdgeTable(lines: readonly LinePositions[]): EdgeTable {
  const capacity = lines.reduce((sum, { length }) => sum + length, 0)
  const ends = new Float64Array(4 * capacity)
  const [line, place] = [new Int32Array(capacity), new Int32Array(capacity)]
  let count = 0
  const line_counts = lines.map((positions, index) => {
    const first = count
    for (let at = 1; at < positions.length; at++) {
      const [a, b] = [positions[at - 1]!, positions[at]!]
      if (a[0] === b[0] && a[1] === b[1]) continue
      ends[4 * count] = a[0]!
      ends[4 * count + 1] = a[1]!
      ends[4 * count + 2] = b[0]!
      ends[4 * count + 3] = b[1]!
      line[count] = index
      place[count] = count - first
      count++
    }
    return count - first
  })
  return { count, ends, line, place, line_counts }
}

/** Of edges in strips. */
const max_parts = 2 ** 19
const max_strips = 2 ** 14
/** Number of levels to which the beginnings of parts are rounded before they are sorted. */
const sort_levels = 2 ** 20
/** Of the extent, for rounding where an edge is cut at the border of a strip. */
const tolerance = 1e-12

/**
 * Called for two edges near each other, with a test whether a position is in the strip; returning true ends the search.
 */
export type EdgePairVisitor = (p: number, q: number, isInStrip: (x: number, y: number) => boolean) => boolean

/**
 * Visits the pairs of edges that may meet, some several times: in each strip of the extent in which they are near each other. The strips
 * lie along the axis along which the edges are longer, so it is nearly linear unless long edges lie beside each other obliquely:
 * `exhausted` if they are too many for the budget, and not all pairs were visited.
 */
export function visitEdgePairs(
  edges: EdgeTable,
  visit: EdgePairVisitor,
  budget: StepBudget = createStepBudget(),
): 'all' | 'stopped' | 'exhausted' {
  const strips = createStrips(edges)
  const parts = cutIntoParts(edges, strips)
  if (!parts) return 'exhausted'
  const { order, edge, left, right } = parts
  const active = new Int32Array(parts.count)
  let [active_count, current] = [0, -1]
  const isInStrip = (x: number, y: number): boolean => strips.stripOf(strips.isUpright ? x : y) === current
  for (let at = 0; at < parts.count; at++) {
    const part = order[at]! % max_parts
    const strip = Math.floor(order[at]! / (max_parts * sort_levels))
    if (strip !== current) [active_count, current] = [0, strip]
    let kept_count = 0
    for (let index = 0; index < active_count; index++) {
      const other = active[index]!
      if (right[other]! < left[part]!) continue
      active[kept_count++] = other
      if (!spendSteps(budget, 1)) return 'exhausted'
      if (left[other]! <= right[part]! && visit(edge[part]!, edge[other]!, isInStrip)) return 'stopped'
    }
    active[kept_count++] = part
    active_count = kept_count
  }
  return 'all'
}

interface Strips {
  readonly count: number
  /** Strips of x instead of y. */
  readonly isUpright: boolean
  stripOf(across: number): number
  /** The coordinate at which a strip begins. */
  startOf(strip: number): number
  /** The extent along the strips. */
  readonly along: readonly [low: number, high: number]
}

function createStrips({ count, ends }: EdgeTable): Strips {
  const low = [Infinity, Infinity]
  const high = [-Infinity, -Infinity]
  const length = [0, 0]
  for (let at = 0; at < 4 * count; at++) {
    const axis = at & 1
    low[axis] = Math.min(low[axis]!, ends[at]!)
    high[axis] = Math.max(high[axis]!, ends[at]!)
    if ((at & 2) === 0) length[axis]! += Math.abs(ends[at + 2]! - ends[at]!)
  }
  const isUpright = length[1]! > length[0]!
  const [across, along] = isUpright ? [0, 1] : [1, 0]
  const extent = high[across]! - low[across]!
  // Chosen so that an edge is in three strips on average.
  const strips = Math.max(1, Math.min(max_strips, count, Math.floor((2 * count * extent) / length[across]!) || 1))
  const width = extent / strips || 1
  return {
    count: strips,
    isUpright,
    stripOf: (value) => Math.max(0, Math.min(strips - 1, Math.floor((value - low[across]!) / width))),
    startOf: (strip) => low[across]! + strip * width,
    along: [low[along]!, high[along]!],
  }
}

/** The parts of edges in strips. */
interface EdgeParts {
  readonly count: number
  readonly edge: Int32Array
  readonly left: Float64Array
  readonly right: Float64Array
  /** Numbers that sort by strip, then by the beginning of the part, and end with the index of the part. */
  readonly order: Float64Array
}

/** Null if there are too many. */
function cutIntoParts({ count, ends }: EdgeTable, { isUpright, stripOf, startOf, along }: Strips): EdgeParts | null {
  const across = isUpright ? 0 : 1
  const spans = new Int32Array(2 * count)
  let parts = 0
  for (let edge = 0; edge < count; edge++) {
    const [from, to] = [stripOf(ends[4 * edge + across]!), stripOf(ends[4 * edge + 2 + across]!)]
    spans[2 * edge] = Math.min(from, to)
    spans[2 * edge + 1] = Math.max(from, to)
    parts += Math.abs(to - from) + 1
    if (parts > max_parts) return null
  }
  const edgeOf = new Int32Array(parts)
  const [left, right, order] = [new Float64Array(parts), new Float64Array(parts), new Float64Array(parts)]
  const slack = Math.max(Math.abs(along[0]), Math.abs(along[1])) * tolerance
  const level = (sort_levels - 1) / (along[1] - along[0] || 1)
  let part = 0
  for (let edge = 0; edge < count; edge++) {
    const [a, b] = [ends[4 * edge + across]!, ends[4 * edge + 2 + across]!]
    const [begin, end] = [ends[4 * edge + 1 - across]!, ends[4 * edge + 3 - across]!]
    const cutAt = (value: number): number => {
      const share = (value - a) / (b - a)
      return share <= 0 ? begin : share >= 1 ? end : begin + share * (end - begin)
    }
    const [first, last] = [spans[2 * edge]!, spans[2 * edge + 1]!]
    for (let strip = first; strip <= last; strip++, part++) {
      const from = first === last ? begin : cutAt(startOf(strip))
      const to = first === last ? end : cutAt(startOf(strip + 1))
      edgeOf[part] = edge
      left[part] = Math.min(from, to) - slack
      right[part] = Math.max(from, to) + slack
      const rank = Math.max(0, Math.floor((left[part]! - along[0]) * level))
      order[part] = (strip * sort_levels + rank) * max_parts + part
    }
  }
  return { count: parts, edge: edgeOf, left, right, order: order.sort() }
}
