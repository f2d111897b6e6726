import { computeSignedRingArea } from './outline.ts'
import type { OutlineRing } from './outline.ts'

/**
 * The edges of an area in pixels, by their upper end; those that run along a row of pixels are in a list of their own.
 */
export interface AreaEdges {
  readonly count: number
  /** The upper end. */
  readonly x0: Float64Array
  readonly y0: Float64Array
  readonly x1: Float64Array
  readonly y1: Float64Array
  /** +1 where the area lies to the right of the edge, -1 to its left, if rings are what they say: outer, or holes. */
  readonly side: Float64Array
  /** Edges along a row: they cross no other row, and no pixel's centre lies between their ends. */
  readonly flat: readonly HorizontalEdge[]
}

export interface HorizontalEdge {
  readonly y: number
  readonly left: number
  readonly right: number
}

export function buildAreaEdges(rings: readonly OutlineRing[]): AreaEdges {
  const found: Record<EdgeColumn, number[]> = { x0: [], y0: [], x1: [], y1: [], side: [] }
  const flat: HorizontalEdge[] = []
  for (const { points, isHole } of rings) {
    // Going clockwise, with rows running down, an outer ring goes up on its left side.
    const upward = (computeSignedRingArea(points) > 0 ? 1 : -1) * (isHole ? -1 : 1)
    let [x0, y0] = [points[points.length - 2]!, points[points.length - 1]!]
    for (let at = 0; at < points.length; at += 2) {
      const [x1, y1] = [points[at]!, points[at + 1]!]
      if (y0 < y1) addEdge(found, x0, y0, x1, y1, -upward)
      else if (y0 > y1) addEdge(found, x1, y1, x0, y0, upward)
      else flat.push({ y: y0, left: Math.min(x0, x1), right: Math.max(x0, x1) })
      x0 = x1
      y0 = y1
    }
  }
  const { y0: tops } = found
  const order = Array.from(tops.keys()).sort((a, b) => tops[a]! - tops[b]!)
  const inOrder = (column: EdgeColumn): Float64Array => {
    const [values, sorted] = [found[column], new Float64Array(order.length)]
    for (let at = 0; at < sorted.length; at++) sorted[at] = values[order[at]!]!
    return sorted
  }
  const [x0, y0, x1, y1, side] = (['x0', 'y0', 'x1', 'y1', 'side'] as const).map(inOrder)
  return { count: order.length, x0: x0!, y0: y0!, x1: x1!, y1: y1!, side: side!, flat }
}

type EdgeColumn = 'x0' | 'y0' | 'x1' | 'y1' | 'side'

function addEdge(
  { x0, y0, x1, y1, side }: Record<EdgeColumn, number[]>,
  fromX: number,
  fromY: number,
  toX: number,
  toY: number,
  inside: number,
): void {
  x0.push(fromX)
  y0.push(fromY)
  x1.push(toX)
  y1.push(toY)
  side.push(inside)
}

/** The columns of pixels between which all edges lie, [from, to), not cut off at any width. */
export function findEdgeColumns({ count, x0, x1 }: AreaEdges): [from: number, to: number] {
  let [left, right] = [Infinity, -Infinity]
  for (let edge = 0; edge < count; edge++) {
    left = Math.min(left, x0[edge]!, x1[edge]!)
    right = Math.max(right, x0[edge]!, x1[edge]!)
  }
  return [Math.floor(left), Math.ceil(right)]
}

/** The first and last row that an area reaches, [from, to), within a height; empty where it reaches none. */
export function findAreaRows({ count, y0, y1 }: AreaEdges, height: number): [from: number, to: number] {
  if (count === 0) return [0, 0]
  const from = Math.max(0, Math.floor(y0[0]!))
  const to = Math.min(height, Math.ceil(y1.reduce((most, y) => Math.max(most, y))))
  return [from, Math.max(from, to)]
}

/** The x of an edge at a y between its ends. */
export function interpolateEdgeX({ x0, y0, x1, y1 }: AreaEdges, edge: number, y: number): number {
  const [top, bottom] = [y0[edge]!, y1[edge]!]
  return ((y - top) * (x1[edge]! - x0[edge]!)) / (bottom - top) + x0[edge]!
}
