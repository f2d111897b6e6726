import { findTileAt, computeZoomForResolution } from '@swath/geo/tile-grid.ts'
import { web_mercator_extent_m } from '@swath/geo/web-mercator.ts'
import { computeLonLatBounds, type Raster } from '@swath/raster'
import type { MapTile } from './gdal.ts'

const max_zoom = 24
/** Positions of tiles, as fractions from west to east and from north to south: inside, and at two corners. */
const positions = [
  [0.52, 0.47],
  [0.001, 0.001],
  [0.999, 0.999],
] as const

/** The zoom whose pixel size is closest to that of the raster. */
function nativeZoom(raster: Raster): number {
  const [west, , east] = unwrapBounds(raster)
  const metres = ((east - west) / 360) * 2 * web_mercator_extent_m
  return Math.min(max_zoom - 1, Math.max(0, Math.round(computeZoomForResolution(metres / raster.width))))
}

/**
 * Number of compared tiles of a file: `full`: all cases, `short`: fewer of each, `least`: one, for a file whose format
 * signature was checked before.
 */
export type CheckEffort = 'full' | 'short' | 'least'

/** Tiles above, at and below the raster's resolution, inside and at its edge, and 512-pixel ones. */
export function chooseTiles(raster: Raster, effort: CheckEffort): MapTile[] {
  const native = nativeZoom(raster)
  const overviewZoom = native - Math.ceil(Math.log2(Math.max(raster.width, raster.height) / 64))
  const zooms = effort === 'full' ? [native + 1, native, native - 1, native - 3, overviewZoom] : [native, native - 2]
  const sized = [...zooms.map((z) => ({ z, size: 256 as const })), { z: native - 1, size: 512 as const }]
  // The short form has tiles at the corners for one zoom.
  const positionsOf = (index: number) => (effort === 'full' || index === 0 ? positions : positions.slice(0, 1))
  const tiles = sized.flatMap(({ z, size }, index) =>
    positionsOf(index).map((position) => ({
      ...tileAtPosition(raster, position, Math.min(max_zoom, Math.max(0, z))),
      size,
    })),
  )
  const chosen = [...new Map(tiles.map((tile) => [JSON.stringify(tile), tile])).values()]
  return effort === 'least' ? chosen.slice(0, 1) : chosen
}

/**
 * Everything that a rendered tile depends on besides the samples, which are compared anyway: sample type and layout, how
 * missing samples are marked, whether they are decoded faster for tiles, and the georeferencing.
 */
export function formatSignature({
  sampleType,
  bands,
  levels,
  nodata,
  alphaBand,
  palette,
  crs,
  affine,
}: Raster): string {
  const { planar, mask, compression, photometric } = levels[0]!
  const missing = nodata === null ? 'none' : Number.isFinite(nodata) ? 'finite' : String(nodata)
  const isRotated = affine[2] !== 0 || affine[4] !== 0
  const isFastDecoded = compression === 7 || photometric === 6
  return JSON.stringify([
    [sampleType, bands.length, planar, levels.length],
    [missing, mask !== null, alphaBand, palette !== null],
    [crs.proj4, isRotated, isFastDecoded],
  ])
}

function tileAtPosition(raster: Raster, [right, down]: readonly [number, number], z: number) {
  const [west, south, east, north] = unwrapBounds(raster)
  const longitude = west + (east - west) * right
  return findTileAt(((longitude + 540) % 360) - 180, north - (north - south) * down, z)
}

// A box across the 180° meridian continues beyond 180.
function unwrapBounds(raster: Raster): readonly [west: number, south: number, east: number, north: number] {
  const [west, south, east, north] = computeLonLatBounds(raster)
  return [west, south, east < west ? east + 360 : east, north]
}
