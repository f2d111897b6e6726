import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { RasterFailure, areaOutsideReason } from '../../failures.ts'
import { buildAreaEdges } from '../../compute/areas/edges.ts'
import { toOutlineRings, projectOutlineToPixels } from '../../compute/areas/outline.ts'
import type { AreaCoordinates, OutlineRing } from '../../compute/areas/outline.ts'
import { findPixelSpansOfRow, holdsPixelCentre, startAreaRowScan } from '../../compute/areas/row-spans.ts'
import type { AreaRowScan } from '../../compute/areas/row-spans.ts'
import type { Window } from '../../compute/window/window.ts'
import type { PixelRows, Raster } from '../../types.ts'
import type { CogInput } from '../writer/cog-types.ts'
import { findInheritedMetadata } from './inherited-metadata.ts'
import { shiftAffineToPixel } from './shift-affine.ts'
import { createRowReader } from './row-reader.ts'

export interface ClipOptions {
  /** The unit of the area's coordinates; default degrees (WGS 84). */
  readonly coordinates?: AreaCoordinates
  /** 0-based; default all. */
  readonly bands?: readonly number[]
  readonly signal?: AbortSignal
}

/**
 * A raster inside an area: the window around the area, and only the pixels whose centre lies in it, as with gdalwarp
 * -cutline and -crop_to_cutline. All others are nodata, or zeros in a file without a nodata value, where a mask or the
 * alpha band marks them as empty. Everything else stays as it is.
 *
 * @throws RasterFailure `outside` where no pixel's centre lies between the ends of the area, `request` for a geometry
 * other than polygons, `no_georeference`.
 */
export function createClipInput(raster: Raster, area: AreaGeometry, options: ClipOptions = {}): CogInput {
  const bands = options.bands ?? raster.bands.map((_, index) => index)
  const rings = projectOutlineToPixels(
    raster,
    raster.levels[0]!,
    toOutlineRings(area),
    options.coordinates ?? 'degrees',
  )
  const window = findWindowOfArea(rings, raster)
  const [left, top, right, bottom] = window
  const edges = buildAreaEdges(rings)
  if (!holdsPixelCentre(edges, raster)) throw emptyAreaFailure([rings], raster)
  const read = createRowReader(raster, bands, window, options.signal)
  const walk = startAreaRowScan(edges, raster.width)
  return {
    ...findInheritedMetadata(raster, bands),
    width: right - left,
    height: bottom - top,
    georeferencing: { affine: shiftAffineToPixel(raster.affine, left, top), crs: raster.crs, geoTags: raster.geoTags },
    readRows: async (row, rows) => cutOut(await read(row, rows), walk, left, top + row, raster.nodata ?? 0),
  }
}

/** The part of a grid that lies inside an area. */
export interface AreaCutout {
  /** In pixels of the grid. */
  readonly window: Window
  /** Spans of the area in each row; null for an area that holds no pixel's centre and keeps the pixels it touches. */
  readonly walk: AreaRowScan | null
}

/**
 * The part of a grid that `createClipInputOnGrid` reads for an area in degrees.
 *
 * @throws RasterFailure `outside` where the area does not touch the image, `request` for a geometry other than
 * polygons, `no_georeference`.
 */
export function findAreaCutout(grid: Raster, area: AreaGeometry): AreaCutout {
  const rings = projectOutlineToPixels(grid, grid.levels[0]!, toOutlineRings(area), 'degrees')
  const { window, isSmall } = windowTouched(rings, grid)
  return isSmall
    ? { window, walk: null }
    : { window: findWindowOfArea(rings, grid), walk: startAreaRowScan(buildAreaEdges(rings), grid.width) }
}

/**
 * The same as `createClipInput` for an image of files that share one grid, of which `grid` is one. An area so small that it
 * holds no pixel's centre keeps the pixels that it touches.
 *
 * @throws RasterFailure as `findAreaCutout`.
 */
export function createClipInputOnGrid(input: CogInput, grid: Raster, area: AreaGeometry): CogInput {
  const cutout = findAreaCutout(grid, area)
  const [left, top, right, bottom] = cutout.window
  const part: CogInput = {
    ...input,
    width: right - left,
    height: bottom - top,
    georeferencing: { ...input.georeferencing, affine: shiftAffineToPixel(grid.affine, left, top) },
    readRows: async (row, rows) => sliceColumns(await input.readRows(top + row, rows), left, right),
  }
  return createCutoutInput(part, cutout)
}

/** An image of the window of a cutout, with nothing left outside of its area. */
export function createCutoutInput(part: CogInput, { window: [left, top], walk }: AreaCutout): CogInput {
  const hasAlpha = part.bands.some(({ colour }) => colour === 'alpha')
  return {
    ...part,
    masked: part.masked || (part.nodata === null && !hasAlpha),
    async readRows(row, rows) {
      const read = await part.readRows(row, rows)
      return walk ? cutOut(read, walk, left, top + row, part.nodata ?? 0) : withMask(read)
    },
  }
}

const withMask = (read: PixelRows): PixelRows => ({
  ...read,
  mask: read.mask ?? new Uint8Array(read.width * read.rows).fill(255),
})

/** The pixels that an area touches, and whether it holds the centre of none of its columns or rows. */
function windowTouched(rings: readonly OutlineRing[], { width, height }: Raster): { window: Window; isSmall: boolean } {
  const [left, top, right, bottom] = extentOf(rings)
  const isSmall = nextCentre(left) >= nextCentre(right) || nextCentre(top) >= nextCentre(bottom)
  const window = [
    Math.max(0, Math.floor(left)),
    Math.max(0, Math.floor(top)),
    Math.min(width, Math.floor(right) + 1),
    Math.min(height, Math.floor(bottom) + 1),
  ] as const
  if (isSmall && (window[0] >= window[2] || window[1] >= window[3])) throw emptyAreaFailure([rings], { width, height })
  return { window, isSmall }
}

/** The columns from `left` to before `right` of rows. */
function sliceColumns(read: PixelRows, left: number, right: number): PixelRows {
  const { rows, bands } = read
  const width = right - left
  const data = read.data.slice(0, width * rows * bands)
  const mask = read.mask ? new Uint8Array(width * rows) : null
  for (let row = 0; row < rows; row++) {
    const from = row * read.width + left
    data.set(read.data.subarray(from * bands, (from + width) * bands), row * width * bands)
    if (mask && read.mask) mask.set(read.mask.subarray(from, from + width), row * width)
  }
  return { ...read, width, data, mask }
}

function extentOf(rings: readonly OutlineRing[]): [left: number, top: number, right: number, bottom: number] {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { points } of rings)
    for (let at = 0; at < points.length; at += 2) {
      left = Math.min(left, points[at]!)
      right = Math.max(right, points[at]!)
      top = Math.min(top, points[at + 1]!)
      bottom = Math.max(bottom, points[at + 1]!)
    }
  return [left, top, right, bottom]
}

/**
 * The pixels whose centres lie between the area's ends.
 *
 * @throws RasterFailure `outside` where there are none.
 */
export function findWindowOfArea(rings: readonly OutlineRing[], { width, height }: Raster): Window {
  const [left, top, right, bottom] = extentOf(rings)
  const window = [
    Math.max(0, nextCentre(left)),
    Math.max(0, nextCentre(top)),
    Math.min(width, nextCentre(right)),
    Math.min(height, nextCentre(bottom)),
  ] as const
  if (window[0] < window[2] && window[1] < window[3]) return window
  throw emptyAreaFailure([rings], { width, height })
}

/** Why areas hold no pixel of an image: none reaches it, or those that do lie between the centres of pixels. */
export function emptyAreaFailure(
  areas: readonly (readonly OutlineRing[])[],
  { width, height }: Pick<Raster, 'width' | 'height'>,
): RasterFailure {
  const reachesImage = areas.some((rings) => {
    const [left, top, right, bottom] = extentOf(rings)
    return left < width && right > 0 && top < height && bottom > 0
  })
  return new RasterFailure(
    'outside',
    reachesImage
      ? 'the area is smaller or thinner than a pixel of the image and holds the centre of none; choose a larger one'
      : areaOutsideReason,
  )
}

/** The first pixel whose centre lies beyond a place. */
function nextCentre(place: number): number {
  return Math.floor(place + 0.5)
}

/** Keeps the pixels of the spans of each row; `left` and `top` are where the rows lie in the raster. */
function cutOut(read: PixelRows, walk: AreaRowScan, left: number, top: number, empty: number): PixelRows {
  const { width, rows, bands } = read
  const data = read.data.slice().fill(empty)
  const mask = new Uint8Array(width * rows)
  for (let row = 0; row < rows; row++) {
    const spans = findPixelSpansOfRow(walk, top + row)
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
