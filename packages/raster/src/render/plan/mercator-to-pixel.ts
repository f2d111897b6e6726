import type { Affine } from '@swath/geo/affine.ts'
import { web_mercator_extent_m, clampLatitude, degreesToMetres, metresToDegrees } from '@swath/geo/web-mercator.ts'
import { requireGeoreferenced } from '../../formats/crs/require-georeferenced.ts'
import { computeLonLatExtent, createDegreesToPixel } from '../../formats/crs/extent.ts'
import type { LonLatExtent } from '../../formats/crs/extent.ts'
import type { Raster } from '../../types.ts'

/** From a position on the map (EPSG:3857 metres) to pixels of the full image; NaN where the projection has no answer. */
export interface MercatorToPixel {
  readonly toPixel: (x: number, y: number) => [column: number, row: number]
  /** The two functions of an axis-aligned mapping, in which columns depend on x alone and rows on y alone. */
  readonly separate: { columnAt: (x: number) => number; rowAt: (y: number) => number } | null
}

/** Maps positions on the map to pixels of a raster. Fails with `no_georeference` if the raster has none. */
export function createMercatorToPixel(raster: Raster): MercatorToPixel {
  requireGeoreferenced(raster)
  const place = createDegreesToPixel(raster)
  const toPixel = (x: number, y: number): [number, number] => place(...metresToDegrees(x, y))
  const stretches = (raster.crs.epsg === 4326 || raster.crs.epsg === 3857) && isUpright(raster.affine)
  const separate = { columnAt: (x: number) => toPixel(x, 0)[0], rowAt: (y: number) => toPixel(0, y)[1] }
  return { toPixel, separate: stretches ? separate : null }
}

/** A rectangle of whole pixels of the rendered image: left and top are inside, right and bottom are not. */
export interface PixelRectangle {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/**
 * The part of a map image (its north-west corner and metres a pixel) that a raster can touch, or null. Only there is
 * anything looked up: far from home some projections fold back and would show a scene where it is not.
 */
export function findIntersectingWindow(
  raster: Raster,
  corner: { west: number; north: number; step: number },
  columns: number,
  rows: number,
): PixelRectangle | null {
  const extent = paddedExtent(raster)
  const spans = spansOver(extent, corner.west, corner.west + columns * corner.step)
  if (spans.length === 0) return null
  const [, top] = degreesToMetres(0, clampLatitude(extent.north))
  const [, bottom] = degreesToMetres(0, clampLatitude(extent.south))
  // The extent comes from points along the edge: an edge may bulge a little between them.
  const margin = 2 * corner.step + 0.01 * (top - bottom)
  const part: PixelRectangle = {
    left: clampTo(Math.floor((Math.min(...spans.map(([from]) => from)) - corner.west) / corner.step), columns),
    right: clampTo(Math.ceil((Math.max(...spans.map(([, to]) => to)) - corner.west) / corner.step), columns),
    top: clampTo(Math.floor((corner.north - top - margin) / corner.step), rows),
    bottom: clampTo(Math.ceil((corner.north - bottom + margin) / corner.step), rows),
  }
  return part.left < part.right && part.top < part.bottom ? part : null
}

// Near the edge of the disc of the earth degrees run away between two points.
const horizon_margin_degrees = 20

function paddedExtent(raster: Raster): LonLatExtent {
  const extent = computeLonLatExtent(raster)
  if (!extent.reachesHorizon) return extent
  return {
    west: extent.west - horizon_margin_degrees,
    south: extent.south - horizon_margin_degrees,
    east: extent.east + horizon_margin_degrees,
    north: extent.north + horizon_margin_degrees,
    reachesHorizon: true,
  }
}

// The same scene lies once around the world again: whichever copies reach into the image count.
function spansOver(extent: LonLatExtent, west: number, east: number): [from: number, to: number][] {
  const world = 2 * web_mercator_extent_m
  const from = (extent.west * world) / 360
  const to = (extent.east * world) / 360
  const margin = 0.01 * (to - from) + (2 * (east - west)) / 256
  return [-2, -1, 0, 1, 2]
    .map((turn): [number, number] => [from + turn * world - margin, to + turn * world + margin])
    .filter(([start, end]) => start < east && end > west)
}

function clampTo(value: number, most: number): number {
  return Math.min(most, Math.max(0, value))
}

function isUpright([, , c, , e]: Affine): boolean {
  return c === 0 && e === 0
}
