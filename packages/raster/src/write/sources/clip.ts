import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { applyAffine } from '@swath/geo/affine.ts'
import type { Affine } from '@swath/geo/affine.ts'
import { RasterFailure } from '../../failures.ts'
import { edgesOf } from '../../measure/edges.ts'
import { outlineInPixels } from '../../measure/outline.ts'
import type { AreaCoordinates, OutlineRing } from '../../measure/outline.ts'
import { spansOfRow, startWalk } from '../../measure/row-spans.ts'
import type { RowWalk } from '../../measure/row-spans.ts'
import type { Window } from '../../tiff/window.ts'
import type { PixelRows, Raster } from '../../types.ts'
import type { CogInput } from '../cog-types.ts'
import { keptFacts } from './kept-facts.ts'
import { createRowReader } from './row-reader.ts'

export interface ClipOptions {
  /** What the area's coordinates are; default degrees (WGS 84). */
  readonly coordinates?: AreaCoordinates
  /** 0-based; default all. */
  readonly bands?: readonly number[]
  readonly signal?: AbortSignal
}

/**
 * A raster inside an area: the window around the area, and only the pixels whose centre lies in it, as with gdalwarp
 * -cutline and -crop_to_cutline. All others hold nodata, or zeros where the file has no such value: then a mask, or the
 * alpha band, says so. Everything else is kept as it is.
 *
 * @throws RasterFailure `outside` where no pixel's centre lies between the ends of the area, `request` for what is no polygon,
 * `no_georeference`.
 */
export function createClipInput(raster: Raster, area: AreaGeometry, options: ClipOptions = {}): CogInput {
  const bands = options.bands ?? raster.bands.map((_, index) => index)
  const rings = outlineInPixels(raster, raster.levels[0]!, area, options.coordinates ?? 'degrees')
  const window = windowAround(rings, raster)
  const [left, top, right, bottom] = window
  const read = createRowReader(raster, bands, window, options.signal)
  const walk = startWalk(edgesOf(rings), raster.width)
  return {
    ...keptFacts(raster, bands),
    width: right - left,
    height: bottom - top,
    georeferencing: { affine: moveAffine(raster.affine, left, top), crs: raster.crs, geoTags: raster.geoTags },
    readRows: async (row, rows) => cutOut(await read(row, rows), walk, left, top + row, raster.nodata ?? 0),
  }
}

/** The pixels whose centres lie between the area's ends. */
function windowAround(rings: readonly OutlineRing[], { width, height }: Raster): Window {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { points } of rings)
    for (let at = 0; at < points.length; at += 2) {
      left = Math.min(left, points[at]!)
      right = Math.max(right, points[at]!)
      top = Math.min(top, points[at + 1]!)
      bottom = Math.max(bottom, points[at + 1]!)
    }
  const window = [
    Math.max(0, nextCentre(left)),
    Math.max(0, nextCentre(top)),
    Math.min(width, nextCentre(right)),
    Math.min(height, nextCentre(bottom)),
  ] as const
  if (window[0] < window[2] && window[1] < window[3]) return window
  throw new RasterFailure('outside', 'the area holds no pixel of the picture')
}

/** The first pixel whose centre lies beyond a place. */
function nextCentre(place: number): number {
  return Math.floor(place + 0.5)
}

/** The same grid counted from another pixel. */
export function moveAffine(affine: Affine, column: number, row: number): Affine {
  const [x, y] = applyAffine(affine, column, row)
  return [x, affine[1], affine[2], y, affine[4], affine[5]]
}

/** Keeps the pixels of the spans of each row; `left` and `top` are where the rows lie in the raster. */
function cutOut(read: PixelRows, walk: RowWalk, left: number, top: number, empty: number): PixelRows {
  const { width, rows, bands } = read
  const data = read.data.slice().fill(empty)
  const mask = new Uint8Array(width * rows)
  for (let row = 0; row < rows; row++) {
    const spans = spansOfRow(walk, top + row)
    for (let at = 0; at < spans.length; at += 2) {
      const from = row * width + Math.max(0, spans[at]! - left)
      const to = row * width + Math.min(width, spans[at + 1]! - left)
      if (from >= to) continue
      data.set(read.data.subarray(from * bands, to * bands), from * bands)
      if (read.mask) mask.set(read.mask.subarray(from, to), from)
      else mask.fill(255, from, to)
    }
  }
  return { width, rows, bands, data, mask }
}
