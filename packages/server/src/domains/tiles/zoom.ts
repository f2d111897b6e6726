import { clampLatitude, degreesToMetres, web_mercator_extent_m } from '@swath/geo/web-mercator.ts'
import { limits } from '@swath/contract/limits.ts'
import type { RasterMetadata } from '../items/assets/raster-metadata.ts'

const tile_pixels = 256
/** Web Mercator metres per pixel of level 0. */
const metres_per_pixel_of_level_0 = (2 * web_mercator_extent_m) / tile_pixels

const clampZoom = (zoom: number): number => Math.max(0, Math.min(limits.max_zoom, zoom))

/** The bounds of an image, without crossing the antimeridian, and the zoom levels worth rendering. */
export interface TileJsonExtent {
  readonly bounds: [west: number, south: number, east: number, north: number]
  readonly center: [longitude: number, latitude: number]
  /** The level at which the whole image fits into one tile. */
  readonly minzoom: number
  /** The first level at which a tile pixel is no larger than an image pixel. */
  readonly maxzoom: number
}

/** The zoom levels and bounds of a raster. If it crosses the antimeridian, the bounds cover the globe. */
export function computeZoomRangeAndBounds(
  metadata: Pick<RasterMetadata, 'bounds' | 'width' | 'height'>,
): TileJsonExtent {
  const [west, south, east, north] = metadata.bounds as [number, number, number, number]
  const unwrappedEast = east < west ? east + 360 : east
  const [left, bottom] = degreesToMetres(west, clampLatitude(south))
  const [right, top] = degreesToMetres(unwrappedEast, clampLatitude(north))
  const [width_m, height_m] = [right - left, top - bottom]
  const pixel_m = Math.min(width_m / metadata.width, height_m / metadata.height)
  const maxzoom = clampZoom(Math.ceil(Math.log2(metres_per_pixel_of_level_0 / pixel_m) - 1e-6))
  const minzoom = Math.min(
    maxzoom,
    clampZoom(Math.floor(Math.log2((metres_per_pixel_of_level_0 * tile_pixels) / Math.max(width_m, height_m)))),
  )
  const centerLongitude = (west + unwrappedEast) / 2
  return {
    bounds: east < west ? [-180, south, 180, north] : [west, south, east, north],
    center: [centerLongitude > 180 ? centerLongitude - 360 : centerLongitude, (south + north) / 2],
    minzoom,
    maxzoom,
  }
}
