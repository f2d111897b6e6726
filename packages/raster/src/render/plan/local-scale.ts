import type { Raster } from '../../types.ts'
import type { PixelRectangle } from './mercator-to-pixel.ts'
import type { ExactTransform, PositionBounds } from './approximation-grid.ts'

/** Steps between the places that gdalwarp looks up along each side of an image. */
const steps_per_side = 9
/** Pixels along a side of a cell: within one the kernel is the same. */
const cell_pixels = 16
/** Cells along a side of a large image whose scale is looked up before its level is chosen. */
const sampled_cells_per_side = 33
/** Maximum ratio between the pixel scale of a part and that of the whole image; beyond it each part has its own scale. */
const max_scale_ratio = 1.25

/** Pixels of the full level that a target pixel is wide and high: the upright box around it. */
export type ResamplingRatio = readonly [x: number, y: number]

/** Ten by ten positions over a whole image, row after row. */
export interface ProbePositions {
  readonly x: Float64Array
  readonly y: Float64Array
}

/** Looks up where an image, or a part of one, falls, wherever the source ends, as gdalwarp does. */
export function probeSourcePositions(
  exact: ExactTransform,
  { left, top, right, bottom }: PixelRectangle,
): ProbePositions {
  const side = steps_per_side + 1
  const probes = { x: new Float64Array(side * side), y: new Float64Array(side * side) }
  for (let at = 0; at < side * side; at++) {
    const column = left + ((right - left) * (at % side)) / steps_per_side
    const row = top + ((bottom - top) * Math.floor(at / side)) / steps_per_side
    const [x, y] = exact(column, row)
    probes.x[at] = x
    probes.y[at] = y
  }
  return probes
}

/**
 * The box in pixels of the full level around a whole image: where the map is even, level and kernels follow from it, so that
 * neighbouring tiles are resampled alike. Places in space do not count.
 */
export function findProbeBounds({ x, y }: ProbePositions): PositionBounds {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let at = 0; at < x.length; at++) {
    // NaN is neither less nor more than anything.
    if (x[at]! < x0) x0 = x[at]!
    if (x[at]! > x1) x1 = x[at]!
    if (y[at]! < y0) y0 = y[at]!
    if (y[at]! > y1) y1 = y[at]!
  }
  return [x0, y0, x1, y1]
}

/** True where the source's system is so curved against the map that the box around the image says little of its pixels. */
export function isSourceScaleNonuniform(
  probes: ProbePositions,
  box: PositionBounds,
  { width, height }: Raster,
): boolean {
  const isUneven = (values: Float64Array, at: number, whole: number): boolean => {
    const box = Math.abs(values[at + 1]! - values[at]!) + Math.abs(values[at + steps_per_side + 1]! - values[at]!)
    return box * steps_per_side > whole * max_scale_ratio || box * steps_per_side * max_scale_ratio < whole
  }
  for (let cell = 0; cell < steps_per_side * steps_per_side; cell++) {
    const at = (steps_per_side + 1) * Math.floor(cell / steps_per_side) + (cell % steps_per_side)
    if (!touches(probes.x, at, width) || !touches(probes.y, at, height)) continue
    if (isUneven(probes.x, at, box[2] - box[0]) || isUneven(probes.y, at, box[3] - box[1])) return true
  }
  return false
}

/** The same of a part of an image, without its probes. */
export function isSourceCurvedOverPart(exact: ExactTransform, part: PixelRectangle, raster: Raster): boolean {
  const probes = probeSourcePositions(exact, part)
  return isSourceScaleNonuniform(probes, findProbeBounds(probes), raster)
}

function touches(values: Float64Array, at: number, length: number): boolean {
  const corners = [values[at]!, values[at + 1]!, values[at + steps_per_side + 1]!, values[at + steps_per_side + 2]!]
  return Math.max(...corners) > 0 && Math.min(...corners) < length
}

/** A part of an image with the scale at its middle; null where nothing of it lies on the raster. */
export interface LocalScaleCell {
  readonly part: PixelRectangle
  readonly ratio: ResamplingRatio | null
}

/** The cells of an image that lie in a part of it. They are counted from the image's corner, so that parts fit together. */
export function listLocalScaleCells(exact: ExactTransform, part: PixelRectangle, raster: Raster): LocalScaleCell[] {
  const rows = cellsAlong(part.top, part.bottom)
  return rows.flatMap((row) =>
    cellsAlong(part.left, part.right).map((column) => cellAt(exact, part, column, row, raster)),
  )
}

/** Cells all over a part of an image, those at its edges among them: all of a small one. */
export function sampleLocalScaleCells(exact: ExactTransform, part: PixelRectangle, raster: Raster): LocalScaleCell[] {
  const rows = thinned(cellsAlong(part.top, part.bottom))
  const columns = thinned(cellsAlong(part.left, part.right))
  return rows.flatMap((row) => columns.map((column) => cellAt(exact, part, column, row, raster)))
}

/** Offsets of the cells between two places. */
function cellsAlong(from: number, to: number): number[] {
  const first = Math.floor(from / cell_pixels)
  return Array.from({ length: Math.ceil(to / cell_pixels) - first }, (_, step) => (first + step) * cell_pixels)
}

/** At most as many as are sampled along a side. */
function thinned(places: readonly number[]): readonly number[] {
  if (places.length <= sampled_cells_per_side) return places
  return Array.from(
    { length: sampled_cells_per_side },
    (_, step) => places[Math.round((step * (places.length - 1)) / (sampled_cells_per_side - 1))]!,
  )
}

function cellAt(
  exact: ExactTransform,
  part: PixelRectangle,
  column: number,
  row: number,
  raster: Raster,
): LocalScaleCell {
  return {
    part: {
      left: Math.max(part.left, column),
      top: Math.max(part.top, row),
      right: Math.min(part.right, column + cell_pixels),
      bottom: Math.min(part.bottom, row + cell_pixels),
    },
    ratio: ratioNear(exact, column, row, raster),
  }
}

/** Positions in a cell at which its scale is measured, as parts of it: others than the middle only if that is off the earth. */
const probedPlaces = [
  [0.5, 0.5],
  [0.25, 0.25],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.75, 0.75],
] as const

function ratioNear(
  exact: ExactTransform,
  column: number,
  row: number,
  { width, height }: Raster,
): ResamplingRatio | null {
  for (const [right, down] of probedPlaces) {
    const at = [column + right * cell_pixels, row + down * cell_pixels] as const
    const [x, y] = exact(...at)
    const [across, along] = ratioAt(exact, ...at, x, y)
    if (Number.isNaN(across + along)) continue
    const isNear = reaches(x, across, width) && reaches(y, along, height)
    return isNear ? [across, along] : null
  }
  return null
}

function reaches(position: number, ratio: number, length: number): boolean {
  return position > -cell_pixels * ratio && position < length + cell_pixels * ratio
}

function ratioAt(exact: ExactTransform, column: number, row: number, x: number, y: number): ResamplingRatio {
  const [right, left] = [exact(column + 0.5, row), exact(column - 0.5, row)]
  const [below, above] = [exact(column, row + 0.5), exact(column, row - 0.5)]
  return [
    2 * (lesser(right[0] - x, left[0] - x) + lesser(below[0] - x, above[0] - x)),
    2 * (lesser(right[1] - y, left[1] - y) + lesser(below[1] - y, above[1] - y)),
  ]
}

/** Of two steps to either side the shorter one: across the edge of a system the other leaps. */
function lesser(a: number, b: number): number {
  return Number.isNaN(b) || Math.abs(a) < Math.abs(b) ? Math.abs(a) : Math.abs(b)
}
