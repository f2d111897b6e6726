import { tileAt, zoomOf } from '@swath/geo/tile-grid.ts'
import { WEB_MERCATOR_EXTENT_M } from '@swath/geo/web-mercator.ts'
import { lonLatBounds } from '@swath/raster'
import type { Raster } from '@swath/raster'
import type { TileOfMap } from './gdal.ts'

const MOST_ZOOM = 24
/** Where tiles are looked for, as shares of the way from west to east and from north to south: inside, and on two corners. */
const PLACES = [
  [0.52, 0.47],
  [0.001, 0.001],
  [0.999, 0.999],
] as const

/** The zoom at which pixels of the map are as large as the raster's, nearly. */
function nativeZoom(raster: Raster): number {
  const [west, , east] = unwrapped(raster)
  const metres = ((east - west) / 360) * 2 * WEB_MERCATOR_EXTENT_M
  return Math.min(MOST_ZOOM - 1, Math.max(0, Math.round(zoomOf(metres / raster.width))))
}

/**
 * How many tiles of a file are compared: `full` all that may differ, `short` fewer of the same classes, `least` one, of a file
 * whose form others have too.
 */
export type Effort = 'full' | 'short' | 'least'

/** Tiles above, at and below the raster's own resolution, inside and over its edge, and large ones. */
export function chooseTiles(raster: Raster, effort: Effort): TileOfMap[] {
  const native = nativeZoom(raster)
  const whole = native - Math.ceil(Math.log2(Math.max(raster.width, raster.height) / 64))
  const zooms = effort === 'full' ? [native + 1, native, native - 1, native - 3, whole] : [native, native - 2]
  const sized = [...zooms.map((z) => ({ z, size: 256 as const })), { z: native - 1, size: 512 as const }]
  const tiles = sized.flatMap(({ z, size }) =>
    PLACES.map((place) => ({ ...placeOf(raster, place, Math.min(MOST_ZOOM, Math.max(0, z))), size })),
  )
  const chosen = [...new Map(tiles.map((tile) => [JSON.stringify(tile), tile])).values()]
  return effort === 'least' ? chosen.slice(0, 1) : chosen
}

/**
 * What a drawn tile can depend on, beside the samples themselves, which are compared anyway: the type and layout of the
 * samples, what says that they are missing, whether they are decoded faster for tiles, and how the picture lies on the map.
 */
export function formOf({ sampleType, bands, levels, nodata, alphaBand, palette, crs, affine }: Raster): string {
  const { planar, mask, compression, photometric } = levels[0]!
  const missing = nodata === null ? 'none' : Number.isFinite(nodata) ? 'finite' : String(nodata)
  const turned = affine[2] !== 0 || affine[4] !== 0
  const quick = compression === 7 || photometric === 6
  return JSON.stringify([
    [sampleType, bands.length, planar, levels.length],
    [missing, mask !== null, alphaBand, palette !== null],
    [crs.proj4, turned, quick],
  ])
}

function placeOf(raster: Raster, [right, down]: readonly [number, number], z: number) {
  const [west, south, east, north] = unwrapped(raster)
  const longitude = west + (east - west) * right
  return tileAt(((longitude + 540) % 360) - 180, north - (north - south) * down, z)
}

// A box across the 180° meridian goes on beyond it.
function unwrapped(raster: Raster): readonly [west: number, south: number, east: number, north: number] {
  const [west, south, east, north] = lonLatBounds(raster)
  return [west, south, east < west ? east + 360 : east, north]
}
