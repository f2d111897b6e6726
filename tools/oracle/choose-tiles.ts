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

/** Tiles above, at and below the raster's own resolution, inside and over its edge, and large ones. */
export function chooseTiles(raster: Raster, short: boolean): TileOfMap[] {
  const native = nativeZoom(raster)
  const whole = native - Math.ceil(Math.log2(Math.max(raster.width, raster.height) / 64))
  const zooms = short ? [native, native - 2] : [native + 1, native, native - 1, native - 3, whole]
  const tiles = [...zooms.map((z) => ({ z, size: 256 as const })), { z: native - 1, size: 512 as const }].flatMap(
    ({ z, size }) => PLACES.map((place) => ({ ...placeOf(raster, place, Math.min(MOST_ZOOM, Math.max(0, z))), size })),
  )
  return [...new Map(tiles.map((tile) => [JSON.stringify(tile), tile])).values()]
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
