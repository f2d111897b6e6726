import { signedArea } from './outline.ts'
import type { OutlineRing } from './outline.ts'

/** The edges of an area in pixels, by their upper end; those that run along a row of pixels are kept apart. */
export interface Edges {
  readonly count: number
  /** The upper end. */
  readonly x0: Float64Array
  readonly y0: Float64Array
  readonly x1: Float64Array
  readonly y1: Float64Array
  /** +1 where the area lies to the right of the edge, -1 to its left, if rings are what they say: outer, or holes. */
  readonly side: Float64Array
  /** Edges along a row: they cross no other row, and no pixel's centre lies between their ends. */
  readonly flat: readonly FlatEdge[]
}

export interface FlatEdge {
  readonly y: number
  readonly left: number
  readonly right: number
}

export function edgesOf(rings: readonly OutlineRing[]): Edges {
  const edges: [x0: number, y0: number, x1: number, y1: number, side: number][] = []
  const flat: FlatEdge[] = []
  for (const { points, isHole } of rings) {
    // Going clockwise, with rows running down, an outer ring goes up on its left side.
    const upward = (signedArea(points) > 0 ? 1 : -1) * (isHole ? -1 : 1)
    for (let at = 0; at < points.length; at += 2) {
      const next = (at + 2) % points.length
      const [x0, y0, x1, y1] = [points[at]!, points[at + 1]!, points[next]!, points[next + 1]!]
      if (y0 < y1) edges.push([x0, y0, x1, y1, -upward])
      else if (y0 > y1) edges.push([x1, y1, x0, y0, upward])
      else flat.push({ y: y0, left: Math.min(x0, x1), right: Math.max(x0, x1) })
    }
  }
  edges.sort((a, b) => a[1] - b[1])
  const column = (place: number): Float64Array => {
    const values = new Float64Array(edges.length)
    for (let at = 0; at < values.length; at++) values[at] = edges[at]![place]!
    return values
  }
  return { count: edges.length, x0: column(0), y0: column(1), x1: column(2), y1: column(3), side: column(4), flat }
}

/** The first and last row that an area reaches, [from, to), within a height; empty where it reaches none. */
export function rowsOf({ count, y0, y1 }: Edges, height: number): [from: number, to: number] {
  if (count === 0) return [0, 0]
  const from = Math.max(0, Math.floor(y0[0]!))
  const to = Math.min(height, Math.ceil(y1.reduce((most, y) => Math.max(most, y))))
  return [from, Math.max(from, to)]
}

/** Where an edge is at a height between its ends. */
export function crossingAt({ x0, y0, x1, y1 }: Edges, edge: number, y: number): number {
  const [top, bottom] = [y0[edge]!, y1[edge]!]
  return ((y - top) * (x1[edge]! - x0[edge]!)) / (bottom - top) + x0[edge]!
}
