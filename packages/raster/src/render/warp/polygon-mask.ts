import { polygonsOf } from '@swath/geo/geojson.ts'
import type { AreaGeometry, Ring } from '@swath/geo/geojson.ts'
import { tileBoundsMetres } from '@swath/geo/tile-grid.ts'
import type { Tile } from '@swath/geo/tile-grid.ts'
import { WEB_MERCATOR_EXTENT_M, degreesToMetres } from '@swath/geo/web-mercator.ts'

/** Converts a position to pixel coordinates from the top left; corners are integers. NaN if there are none. */
export type LonLatToPixel = (longitude: number, latitude: number) => readonly [x: number, y: number]

/** An edge may be this many pixels off its true line, which is straight in degrees and so perhaps bent in the picture. */
const TOLERANCE = 0.001
/** Edges that are shorter, in pixels, are not bent by more than the tolerance; unless they are longer than this in degrees. */
const SHORT_EDGE = 2
const LONG_DEGREES = 10
const MOST_HALVINGS = 12
/** Corners are rounded to this part of a pixel, so that both sides of a seam (180° east and west) fall on one line. */
const SNAP = 2 ** 16
/** Copies on either side: longitudes that are more than three times around mean nothing. */
const MOST_TURNS = 3
/** Poles are infinitely far in Web Mercator. */
const LAST_LATITUDE = 89.99

/**
 * Clears the mask of pixels whose centre is outside an area (even-odd rule over all rings, so that holes need no
 * orientation). Pixels inside are unchanged.
 *
 * @param mask one byte per pixel, rows from the top, `width` × `height`.
 * @param worldWidth pixels around the Earth in cylindrical projections, where the area is repeated on both sides of the 180°
 * meridian; 0 in other projections.
 */
export function maskOutside(
  mask: Uint8Array,
  width: number,
  height: number,
  area: AreaGeometry,
  toPixel: LonLatToPixel,
  worldWidth = 0,
): void {
  const frame: Frame = { width, height, turn: worldWidth }
  const outlines = polygonsOf(area)
    .flat()
    .map((ring) => outlineOf(ring, toPixel, frame))
  const inside = new Uint8Array(width * height)
  for (const shift of copiesWithin(frame, outlines)) addInside(inside, frame, outlines, shift)
  for (let i = 0; i < inside.length; i++) mask[i]! &= -inside[i]!
}

/** The same for a Web Mercator tile, `size` pixels wide and high. */
export function maskOutsideInTile(mask: Uint8Array, size: number, tile: Tile, area: AreaGeometry): void {
  const [west, south, , north] = tileBoundsMetres(tile)
  const step = (north - south) / size
  const toPixel: LonLatToPixel = (longitude, latitude) => {
    const [x, y] = degreesToMetres(longitude, Math.max(-LAST_LATITUDE, Math.min(LAST_LATITUDE, latitude)))
    return [(x - west) / step, (north - y) / step]
  }
  maskOutside(mask, size, size, area, toPixel, (2 * WEB_MERCATOR_EXTENT_M) / step)
}

interface Frame {
  readonly width: number
  readonly height: number
  readonly turn: number
}

/** Corners of a ring in pixels, x and y in turn; the last one is the first. */
type Outline = readonly number[]

function outlineOf(ring: Ring, toPixel: LonLatToPixel, frame: Frame): Outline {
  const outline: number[] = []
  let before: Ring[number] | null = null
  for (const position of ring) {
    const [x, y] = toPixel(position[0], position[1])
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue
    if (before !== null) {
      const [lastX, lastY] = [outline.at(-2)!, outline.at(-1)!]
      const length = Math.abs(x - lastX) + Math.abs(y - lastY)
      const isFar = isFarAround(before, position)
      if (isFar || (length >= SHORT_EDGE && canBeSeen(frame, lastX, lastY, x, y, length)))
        bend(outline, cornerOf(before, lastX, lastY), cornerOf(position, x, y), { toPixel, frame }, MOST_HALVINGS)
    }
    outline.push(snapped(x), snapped(y))
    before = position
  }
  // A ring that is not closed, or whose first position has no place, is closed by a straight line.
  if (before !== null) outline.push(outline[0]!, outline[1]!)
  return outline
}

const snapped = (pixels: number): number => Math.round(pixels * SNAP) / SNAP

/** A position of a ring and where it falls. */
interface Corner {
  readonly position: Ring[number]
  readonly x: number
  readonly y: number
}

const cornerOf = (position: Ring[number], x: number, y: number): Corner => ({ position, x, y })

/** An edge over many degrees may come back to where it began: its ends say nothing about its way. */
const isFarAround = (from: Ring[number], to: Ring[number]): boolean =>
  Math.abs(to[0] - from[0]) > LONG_DEGREES || Math.abs(to[1] - from[1]) > LONG_DEGREES

/** Adds the corners that an edge needs to follow its true line, where that can be seen in the picture. */
function bend(
  outline: number[],
  from: Corner,
  to: Corner,
  seen: { readonly toPixel: LonLatToPixel; readonly frame: Frame },
  halvings: number,
): void {
  const half = [(from.position[0] + to.position[0]) / 2, (from.position[1] + to.position[1]) / 2] as const
  const [x, y] = seen.toPixel(...half)
  const off = Math.max(Math.abs(x - (from.x + to.x) / 2), Math.abs(y - (from.y + to.y) / 2))
  if (!Number.isFinite(off)) return
  const isBent = off > TOLERANCE && canBeSeen(seen.frame, from.x, from.y, to.x, to.y, 2 * off)
  if (!isBent && !isFarAround(from.position, to.position)) return
  const middle = cornerOf(half, x, y)
  if (halvings > 1) bend(outline, from, middle, seen, halvings - 1)
  outline.push(snapped(x), snapped(y))
  if (halvings > 1) bend(outline, middle, to, seen, halvings - 1)
}

function canBeSeen(frame: Frame, x0: number, y0: number, x1: number, y1: number, margin: number): boolean {
  if (Math.max(y0, y1) + margin < 0 || Math.min(y0, y1) - margin > frame.height) return false
  const [first, last] = turnsBetween(frame, Math.min(x0, x1) - margin, Math.max(x0, x1) + margin)
  return first <= last
}

/** By how many turns, from the first to the last, something has to be moved to be seen; first above last if never. */
function turnsBetween(
  { width, turn: worldWidth }: Frame,
  left: number,
  right: number,
): readonly [first: number, last: number] {
  if (worldWidth === 0) return left <= width && right >= 0 ? [0, 0] : [1, 0]
  return [
    Math.max(-MOST_TURNS, Math.ceil(-right / worldWidth)),
    Math.min(MOST_TURNS, Math.floor((width - left) / worldWidth)),
  ]
}

function copiesWithin(frame: Frame, outlines: readonly Outline[]): number[] {
  let [left, right] = [Infinity, -Infinity]
  for (const outline of outlines)
    for (let i = 0; i < outline.length; i += 2) {
      left = Math.min(left, outline[i]!)
      right = Math.max(right, outline[i]!)
    }
  const [first, last] = turnsBetween(frame, left, right)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * frame.turn)
}

/**
 * Adds the pixels inside the outlines, moved to the right by `shift`. Every edge leaves a mark at the first pixel right of
 * it in each row whose centre it crosses; a pixel is inside where the marks up to it in its row are odd in number.
 */
function addInside(inside: Uint8Array, { width, height }: Frame, outlines: readonly Outline[], shift: number): void {
  const marks = new Uint8Array(width * height)
  for (const outline of outlines)
    for (let i = 2; i < outline.length; i += 2)
      markEdge(marks, width, height, outline[i - 2]! + shift, outline[i - 1]!, outline[i]! + shift, outline[i + 1]!)
  for (let row = 0; row < height; row++) {
    let odd = 0
    for (let i = row * width, end = i + width; i < end; i++) {
      odd ^= marks[i]!
      inside[i]! |= odd
    }
  }
}

/** The upper end of an edge belongs to it and the lower one does not, so that a corner between rows counts once. */
function markEdge(
  marks: Uint8Array,
  width: number,
  height: number,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
): void {
  if (y0 > y1) {
    markEdge(marks, width, height, x1, y1, x0, y0)
    return
  }
  const first = Math.max(0, Math.ceil(y0 - 0.5))
  const end = Math.min(height, Math.ceil(y1 - 0.5))
  const slope = (x1 - x0) / (y1 - y0)
  for (let row = first; row < end; row++) {
    const column = Math.max(0, Math.ceil(x0 + (row + 0.5 - y0) * slope - 0.5))
    if (column < width) marks[row * width + column]! ^= 1
  }
}
