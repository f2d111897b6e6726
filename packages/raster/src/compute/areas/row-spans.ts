import { findAreaRows, interpolateEdgeX } from './edges.ts'
import type { AreaEdges, HorizontalEdge } from './edges.ts'

/** Crossings this close are one line there and back. */
const seam_pixels = 1e-6

/** Goes down the rows of an area. */
export interface AreaRowScan {
  readonly edges: AreaEdges
  readonly width: number
  /** Edges that reach the row, and the first that is still further down. */
  active: number[]
  next: number
  /** Edges along rows, by row. */
  readonly flat: ReadonlyMap<number, readonly HorizontalEdge[]>
}

export function startAreaRowScan(edges: AreaEdges, width: number): AreaRowScan {
  return { edges, width, active: [], next: 0, flat: Map.groupBy(edges.flat, ({ y }) => Math.floor(y)) }
}

/**
 * The pixels of a row whose centre lies in the area, as [from, to) again and again, by the even-odd rule over all edges. As
 * in gdal_rasterize a centre on a border belongs to the part to its left. Rows must be asked in ascending order.
 */
export function findPixelSpansOfRow(walk: AreaRowScan, row: number): number[] {
  const { edges, width } = walk
  enterRow(walk, row)
  const middle = row + 0.5
  const crossings: number[] = []
  for (const edge of walk.active) {
    if (edges.y0[edge]! <= middle && middle < edges.y1[edge]!) crossings.push(interpolateEdgeX(edges, edge, middle))
  }
  const sides = withoutSeams(crossings.sort((a, b) => a - b))
  const spans: number[] = []
  for (let at = 0; at + 1 < sides.length; at += 2) {
    addSpan(spans, Math.floor(sides[at]! + 0.5), Math.floor(sides[at + 1]! + 0.5), width)
  }
  return spans
}

// Two edges that run along the same line, as those of an area around a pole do at ±180°, differ in their rounding. A pixel
// centre between them would be lost.
function withoutSeams(crossings: readonly number[]): number[] {
  const kept: number[] = []
  for (const x of crossings) {
    if (kept.length > 0 && x - kept.at(-1)! < seam_pixels) kept.pop()
    else kept.push(x)
  }
  return kept
}

/** True if the centre of any pixel lies in the area. */
export function holdsPixelCentre(edges: AreaEdges, { width, height }: { width: number; height: number }): boolean {
  const walk = startAreaRowScan(edges, width)
  const [top, bottom] = findAreaRows(edges, height)
  for (let row = top; row < bottom; row++) if (findPixelSpansOfRow(walk, row).length > 0) return true
  return false
}

/** The pixels of a row that the area may touch at all: those whose centre it holds and those that an edge passes through. */
export function findTouchedSpansOfRow(walk: AreaRowScan, row: number): number[] {
  const inside = findPixelSpansOfRow(walk, row)
  const { edges, width } = walk
  const touched: [from: number, to: number][] = []
  for (let at = 0; at < inside.length; at += 2) touched.push([inside[at]!, inside[at + 1]!])
  for (const edge of walk.active) {
    const top = interpolateEdgeX(edges, edge, Math.max(row, edges.y0[edge]!))
    const bottom = interpolateEdgeX(edges, edge, Math.min(row + 1, edges.y1[edge]!))
    touched.push([Math.floor(Math.min(top, bottom)), Math.floor(Math.max(top, bottom)) + 1])
  }
  for (const { left, right } of walk.flat.get(row) ?? []) touched.push([Math.floor(left), Math.floor(right) + 1])
  touched.sort((a, b) => a[0] - b[0])
  const spans: number[] = []
  for (const [from, to] of touched) addSpan(spans, from, to, width)
  return spans
}

function enterRow(walk: AreaRowScan, row: number): void {
  const { edges } = walk
  walk.active = walk.active.filter((edge) => edges.y1[edge]! > row)
  for (; walk.next < edges.count && edges.y0[walk.next]! < row + 1; walk.next++) {
    if (edges.y1[walk.next]! > row) walk.active.push(walk.next)
  }
}

/** Adds a span that begins no earlier than the ones before it; what overlaps or follows at once is joined. */
function addSpan(spans: number[], from: number, to: number, width: number): void {
  const [left, right] = [Math.max(0, from), Math.min(width, to)]
  if (left >= right) return
  const last = spans.length - 1
  if (last >= 0 && left <= spans[last]!) spans[last] = Math.max(spans[last]!, right)
  else spans.push(left, right)
}
