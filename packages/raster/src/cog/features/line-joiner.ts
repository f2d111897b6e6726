export type Position = readonly [x: number, y: number]

/** A line of one level: positions in pixels, corners of pixels are whole numbers; a closed one ends where it begins. */
export interface ContourLine {
  readonly level: number
  readonly positions: readonly Position[]
}

/** A level and an edge between the centres of two pixels as one number. */
export type ContourEdgeKey = number

/**
 * Upper edges of a row of squares, lower ones, which are the upper ones of the next row, and left ones; and the lines from the middle
 * of a square to those of its sides, where it is cut into quarters.
 */
export const contourEdges = {
  upper: 0,
  lower: 1,
  left: 2,
  middle_up: 3,
  middle_right: 4,
  middle_down: 5,
  middle_left: 6,
} as const
export type ContourEdge = (typeof contourEdges)[keyof typeof contourEdges]
const edge_count = Object.keys(contourEdges).length

/** A line that may still grow. */
interface OpenLine {
  readonly level: number
  /** From the middle to both ends. */
  readonly sides: [Position[], Position[]]
  /** The edges of both ends; NaN for an end that cannot grow any more. */
  readonly ends: [ContourEdgeKey, ContourEdgeKey]
}

/** Joins the parts of lines that squares have, row of squares by row of squares. Memory: the lines that reach the last row. */
export interface ContourLineJoiner {
  /** Edges of a row, and one more. */
  readonly columns: number
  /** Number of the level that came first: keys count from it, so that levels far from the base have exact ones. */
  origin: number | null
  /** Called with each line once it cannot grow any more. */
  readonly give: (line: ContourLine) => void
  /** Lines by their ends that may grow: on edges of the row of squares that is worked on, and below it. */
  here: Map<ContourEdgeKey, OpenLine>
  below: Map<ContourEdgeKey, OpenLine>
}

export const createContourLineJoiner = (columns: number, give: ContourLineJoiner['give']): ContourLineJoiner => ({
  columns,
  origin: null,
  give,
  here: new Map(),
  below: new Map(),
})

/** @param index of the level. */
export function encodeContourEdgeKey(
  joiner: ContourLineJoiner,
  index: number,
  edge: ContourEdge,
  column: number,
): ContourEdgeKey {
  joiner.origin ??= index
  return ((index - joiner.origin) * edge_count + edge) * joiner.columns + column
}

function linesAt({ columns, here, below }: ContourLineJoiner, key: ContourEdgeKey): Map<ContourEdgeKey, OpenLine> {
  const edge = Math.floor(key / columns) % edge_count
  // Of levels below the first one the remainder is negative.
  return edge === contourEdges.lower || edge === contourEdges.lower - edge_count ? below : here
}

function take(joiner: ContourLineJoiner, key: ContourEdgeKey): OpenLine | null {
  const lines = linesAt(joiner, key)
  const line = lines.get(key) ?? null
  lines.delete(key)
  return line
}

const put = (joiner: ContourLineJoiner, key: ContourEdgeKey, line: OpenLine): void =>
  void linesAt(joiner, key).set(key, line)

const sideOf = ({ ends }: OpenLine, key: ContourEdgeKey): 0 | 1 => (ends[0] === key ? 0 : 1)

/** The part of a line inside of a square: from one edge to another, and where it crosses them. */
export interface ContourSegment {
  readonly level: number
  readonly from: ContourEdgeKey
  readonly to: ContourEdgeKey
  readonly start: Position
  readonly end: Position
}

/** Adds a part to the lines that end on its edges, which become one, or begins a line. */
export function addContourSegment(joiner: ContourLineJoiner, { level, from, to, start, end }: ContourSegment): void {
  const [first, second] = [take(joiner, from), take(joiner, to)]
  if (first === null && second === null) {
    const line: OpenLine = { level, sides: [[start], [end]], ends: [from, to] }
    put(joiner, from, line)
    put(joiner, to, line)
  } else if (first === second) {
    const positions = positionsOf(first!)
    joiner.give({ level, positions: [...positions, positions[0]!] })
  } else if (first !== null && second !== null) {
    connect(joiner, [first, from], [second, to])
  } else {
    const [line, reached, other, position] = first ? [first, from, to, end] : [second!, to, from, start]
    const side = sideOf(line, reached)
    line.sides[side].push(position)
    line.ends[side] = other
    put(joiner, other, line)
  }
}

type LineEnd = readonly [line: OpenLine, key: ContourEdgeKey]

/** Appends the shorter of two lines to the longer one, so that all appending together stays cheap. */
function connect(joiner: ContourLineJoiner, first: LineEnd, second: LineEnd): void {
  const isLonger = lengthOf(first[0]) >= lengthOf(second[0])
  const [[line, reached], [added, met]] = isLonger ? [first, second] : [second, first]
  const side = sideOf(line, reached)
  const entry = sideOf(added, met)
  const exit = entry === 0 ? 1 : 0
  const into = line.sides[side]
  for (let at = added.sides[entry].length - 1; at >= 0; at--) into.push(added.sides[entry][at]!)
  for (const position of added.sides[exit]) into.push(position)
  const end = added.ends[exit]
  line.ends[side] = end
  if (!Number.isNaN(end)) put(joiner, end, line)
  else if (line.ends.every(Number.isNaN)) joiner.give({ level: line.level, positions: positionsOf(line) })
}

/** Ends a row of squares: its lower edges become the upper ones of the next row; lines that have no end there cannot grow. */
export function finishContourRow(joiner: ContourLineJoiner): void {
  // The keys of edges are those of the next row, too.
  for (const [key, line] of joiner.here) line.ends[sideOf(line, key)] = Number.NaN
  const next = new Map<ContourEdgeKey, OpenLine>()
  const growing = new Set<OpenLine>()
  for (const [key, line] of joiner.below) {
    const moved = key - (contourEdges.lower - contourEdges.upper) * joiner.columns
    line.ends[sideOf(line, key)] = moved
    next.set(moved, line)
    growing.add(line)
  }
  for (const line of new Set(joiner.here.values()))
    if (!growing.has(line)) joiner.give({ level: line.level, positions: positionsOf(line) })
  joiner.here = next
  joiner.below = new Map()
}

/** Gives the lines that reach the last row. */
export function finishContourLines(joiner: ContourLineJoiner): void {
  for (const line of new Set(joiner.here.values())) joiner.give({ level: line.level, positions: positionsOf(line) })
  joiner.here = new Map()
}

const lengthOf = ({ sides }: OpenLine): number => sides[0].length + sides[1].length

const positionsOf = ({ sides }: OpenLine): Position[] => [...sides[0].toReversed(), ...sides[1]]
