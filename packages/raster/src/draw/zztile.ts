import { isTile, tileBoundsMetres } from '@swath/geo/tile-grid.ts'
import { RasterFailure } from '../failures.ts'
import { mapToPixels, touchedPart } from '../plan/mapping.ts'
import type { Rectangle } from '../plan/mapping.ts'
import { chooseLevel, mapRatio } from '../plan/overview.ts'
import { locateNodes } from '../plan/positions.ts'
import type { Positions } from '../plan/positions.ts'
import { SAMPLE_TYPES } from '../sample-types.ts'
import { readWindow } from '../tiff/read.ts'
import { checkBands, costOfWindow } from '../tiff/window.ts'
import type { Window } from '../tiff/window.ts'
import type { PixelBlock, Raster, Resampling, TileRequest } from '../types.ts'
import { drawAverage } from './average.ts'
import { createCanvas } from './canvas.ts'
import type { Drawing } from './canvas.ts'
import { drawNearest } from './nearest.ts'
import { BILINEAR, CUBIC, drawWeighted } from './weighted.ts'

const DEFAULT_BUDGET_BYTES = 67_108_864
const REACH: Readonly<Record<Resampling, number>> = { nearest: 0, average: 0, bilinear: 1, cubic: 2 }

/** A square picture of the map: its north-west corner and EPSG:3857 metres a pixel. */
interface MapPicture {
  readonly west: number
  readonly north: number
  readonly step: number
  readonly size: number
}

/**
 * Draws a raster into one tile of the web map, in the raster's own sample type; default resampling is `nearest`. Where the
 * raster does not reach, the mask is 0 and the samples are 0: a tile that misses it altogether is simply empty.
 * Samples equal `gdalwarp -et 0`. Failures: `request`, `no_georeference`, `budget` (a picture without overviews, far too
 * large for the tile), and those of readWindow.
 */
export async function drawTile(raster: Raster, request: TileRequest): Promise<PixelBlock> {
  if (!isTile(request)) throw new RasterFailure('request', `there is no tile ${request.z}/${request.x}/${request.y}`)
  const bands = request.bands ?? raster.bands.map((_, index) => index)
  checkBands(raster, bands)
  const [west, south, , north] = tileBoundsMetres(request)
  const picture = { west, north, step: (north - south) / request.size, size: request.size }
  const resampling = request.resampling ?? 'nearest'
  const empty = () =>
    createCanvas(request.size, request.size, bands.length, SAMPLE_TYPES[raster.sampleType].allocate(0))

  const mapping = mapToPixels(raster)
  const part = touchedPart(raster, picture, request.size, request.size)
  if (!part) return empty()
  const level = raster.levels[chooseLevel(raster, mapRatio(raster, picture.step))]!
  const scale: [number, number] = [raster.width / level.width, raster.height / level.height]
  const positions = toLevel(locateNodes(mapping, gridOver(picture, part, resampling), Math.min(...scale)), scale)
  const span = spanOf(positions)
  const window = span && windowFor(span, REACH[resampling], part, level)
  if (!span || !window) return empty()

  const cost = costOfWindow(raster, level, window, bands.length)
  const budget = request.budget_bytes ?? DEFAULT_BUDGET_BYTES
  if (Math.max(cost.decodedBytes, cost.answerBytes) > budget) {
    throw new RasterFailure(
      'budget',
      `the tile would cost ${Math.max(cost.decodedBytes, cost.answerBytes)} bytes of pixels; ${budget} are allowed (does the file have overviews?)`,
    )
  }
  const source = await readWindow(raster, { level: level.index, window, bands, signal: request.signal })
  const canvas = empty()
  const origin: [number, number] = [window[0], window[1]]
  const drawing: Drawing = { source, origin, levelSize: [level.width, level.height], part, positions, canvas }
  ;(globalThis as any).__scale = shrinkage(toEdges(span, part), part); draw(drawing, resampling, shrinkage(toEdges(span, part), part))
  return canvas
}

function draw(drawing: Drawing, resampling: Resampling, scale: readonly [number, number]): void {
  if (resampling === 'nearest') drawNearest(drawing)
  else if (resampling === 'average') drawAverage(drawing)
  else drawWeighted(drawing, resampling === 'cubic' ? CUBIC : BILINEAR, scale)
}

// Averages look at the corners of drawn pixels, everything else at their centres.
function gridOver({ west, north, step }: MapPicture, part: Rectangle, resampling: Resampling) {
  const corners = resampling === 'average'
  const shift = corners ? 0 : 0.5
  return {
    west: west + (part.left + shift) * step,
    north: north - (part.top + shift) * step,
    step,
    columns: part.right - part.left + (corners ? 1 : 0),
    rows: part.bottom - part.top + (corners ? 1 : 0),
  }
}

function toLevel(positions: Positions, [scaleX, scaleY]: readonly [number, number]): Positions {
  if (scaleX === 1 && scaleY === 1) return positions
  return { ...positions, x: positions.x.map((x) => x / scaleX), y: positions.y.map((y) => y / scaleY) }
}

type Span = readonly [x0: number, y0: number, x1: number, y1: number]

function spanOf({ x, y }: Positions): Span | null {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let at = 0; at < x.length; at++) {
    const px = x[at]!
    const py = y[at]!
    if (Number.isNaN(px) || Number.isNaN(py)) continue
    if (px < x0) x0 = px
    if (px > x1) x1 = px
    if (py < y0) y0 = py
    if (py > y1) y1 = py
  }
  return x0 <= x1 && y0 <= y1 ? [x0, y0, x1, y1] : null
}

// Positions are centres of drawn pixels; what the drawn pixels cover reaches half a pixel further.
function toEdges([x0, y0, x1, y1]: Span, { left, top, right, bottom }: Rectangle): Span {
  const halfX = (x1 - x0) / Math.max(1, right - left - 1) / 2
  const halfY = (y1 - y0) / Math.max(1, bottom - top - 1) / 2
  return [x0 - halfX, y0 - halfY, x1 + halfX, y1 + halfY]
}

/** Drawn pixels a source pixel, across and down; a shrinkage by nearly a whole number is taken as that number. */
function shrinkage([x0, y0, x1, y1]: Span, part: Rectangle): [number, number] {
  const along = (drawn: number, low: number, high: number): number => {
    const inverse = (high - low) / drawn
    const whole = Math.round(inverse)
    return whole > 0 && Math.abs(inverse - whole) < 0.05 ? 1 / whole : 1 / inverse
  }
  return [along(part.right - part.left, x0, x1), along(part.bottom - part.top, y0, y1)]
}

// The pixels that any position can need, inside the level; null where there are none.
function windowFor(
  [x0, y0, x1, y1]: Span,
  reach: number,
  part: Rectangle,
  level: { width: number; height: number },
): Window | null {
  const padX = Math.ceil(reach * Math.max(1, (x1 - x0) / (part.right - part.left))) + 1
  const padY = Math.ceil(reach * Math.max(1, (y1 - y0) / (part.bottom - part.top))) + 1
  if (x1 < 0 || y1 < 0 || x0 > level.width || y0 > level.height) return null
  const window: Window = [
    Math.max(0, Math.floor(x0) - padX),
    Math.max(0, Math.floor(y0) - padY),
    Math.min(level.width, Math.ceil(x1) + padX),
    Math.min(level.height, Math.ceil(y1) + padY),
  ]
  return window[0] < window[2] && window[1] < window[3] ? window : null
}
