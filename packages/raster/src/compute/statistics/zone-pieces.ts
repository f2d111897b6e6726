import type { Window } from '../window/window.ts'
import type { RasterLevel } from '../../types.ts'
import { computePixelCoverage } from '../areas/coverage.ts'
import { findPieceEnd, choosePieceSize } from './cut-window.ts'
import type { AreaEdges } from '../areas/edges.ts'
import type { WindowPiecePlan } from './read-pieces.ts'
import { findPixelSpansOfRow, startAreaRowScan, findTouchedSpansOfRow } from '../areas/row-spans.ts'
import type { AreaRowScan } from '../areas/row-spans.ts'

/** An area on the grid of a level. */
export interface PolygonZone {
  readonly level: RasterLevel
  readonly edges: AreaEdges
  /** The box of pixels that it reaches. */
  readonly window: Window
  /** True where pixels count by the part that lies inside, false where they count by their centre. */
  readonly covered: boolean
}

/** Some rows of an area: the spans of each. */
interface Belt {
  readonly top: number
  readonly rows: readonly (readonly number[])[]
  /** Edges that reach these rows. */
  readonly edges: readonly number[]
}

/** A window of no more pixels is read as a whole: to walk along its rows would cost more than the pixels beside the area. */
const max_whole_pixels = 65_536

/**
 * The pieces of a level that an area touches, and which of their pixels it holds: by their centres, or with `covered` by the
 * part of each that lies inside. Blocks that it does not touch are in no piece, unless the area is small.
 */
export function* planZonePieces(
  { level, edges, window, covered }: PolygonZone,
  pixels: number,
): Generator<WindowPiecePlan> {
  const [x0, first, x1, last] = window
  const whole = (x1 - x0) * (last - first)
  if (covered && whole <= Math.min(pixels, max_whole_pixels)) {
    yield { window, runs: null, weights: computePixelCoverage(edges, null, window) }
    return
  }
  const walk = startAreaRowScan(edges, level.width)
  const size = choosePieceSize(level, x1 - x0, pixels)
  for (let top = first; top < last;) {
    const bottom = Math.min(last, findPieceEnd(top, size.rows, level.block[1]))
    const belt = walkBelt(walk, top, bottom, covered)
    for (const [left, right] of stretchesOf(belt, level, Math.min(size.columns, level.width))) {
      const box = boxOf(belt, left, right)
      const weights = covered ? computePixelCoverage(edges, belt.edges, box) : null
      yield { window: box, runs: runsIn(belt, box), weights }
    }
    top = bottom
  }
}

function walkBelt(walk: AreaRowScan, top: number, bottom: number, covered: boolean): Belt {
  const rows: number[][] = []
  const edges = new Set<number>()
  for (let row = top; row < bottom; row++) {
    rows.push(covered ? findTouchedSpansOfRow(walk, row) : findPixelSpansOfRow(walk, row))
    if (covered) for (const edge of walk.active) edges.add(edge)
  }
  return { top, rows, edges: [...edges] }
}

/** Columns [left, right) that neighbouring touched blocks take up, none wider than `most`. */
function* stretchesOf(belt: Belt, level: RasterLevel, most: number): Generator<[left: number, right: number]> {
  const width = Math.min(level.block[0], most)
  const touched = new Uint8Array(Math.ceil(level.width / width))
  for (const spans of belt.rows) {
    for (let at = 0; at < spans.length; at += 2) {
      touched.fill(1, Math.floor(spans[at]! / width), Math.ceil(spans[at + 1]! / width))
    }
  }
  const together = Math.max(1, Math.floor(most / width))
  for (let from = touched.indexOf(1); from >= 0;) {
    let to = from + 1
    while (to < touched.length && touched[to] === 1 && to - from < together) to++
    yield [from * width, Math.min(level.width, to * width)]
    from = touched.indexOf(1, to)
  }
}

/** The smallest window around the part of a belt between two columns. */
function boxOf({ top, rows }: Belt, left: number, right: number): Window {
  let [x0, y0, x1, y1] = [right, Infinity, left, 0]
  for (const [row, spans] of rows.entries()) {
    for (let at = 0; at < spans.length; at += 2) {
      const from = Math.max(left, spans[at]!)
      const to = Math.min(right, spans[at + 1]!)
      if (from >= to) continue
      x0 = Math.min(x0, from)
      x1 = Math.max(x1, to)
      y0 = Math.min(y0, top + row)
      y1 = Math.max(y1, top + row + 1)
    }
  }
  return [x0, y0, x1, y1]
}

function runsIn({ top, rows }: Belt, [x0, y0, x1, y1]: Window): Int32Array {
  const width = x1 - x0
  const runs: number[] = []
  for (let row = y0; row < y1; row++) {
    const spans = rows[row - top]!
    for (let at = 0; at < spans.length; at += 2) {
      const from = Math.max(x0, spans[at]!)
      const to = Math.min(x1, spans[at + 1]!)
      if (from < to) addRun(runs, (row - y0) * width + from - x0, to - from)
    }
  }
  return Int32Array.from(runs)
}

// Rows that are full join into one run.
function addRun(runs: number[], first: number, count: number): void {
  const last = runs.length - 2
  const end = last < 0 ? -1 : runs[last]! + runs[last + 1]!
  if (end === first) runs[last + 1]! += count
  else runs.push(first, count)
}
