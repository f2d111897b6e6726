import { clampLatitude, degreesToMetres, WEB_MERCATOR_EXTENT_M } from '@swath/geo/web-mercator.ts'
import { limits } from '@swath/contract/limits.ts'
import type { RasterFacts } from '../items/raster-facts.ts'

const tile_pixels = 256
/** Web Mercator metres per pixel of level 0. */
const widest = (2 * WEB_MERCATOR_EXTENT_M) / tile_pixels

const within = (zoom: number): number => Math.max(0, Math.min(limits.zoom, zoom))

/** The bounds of an image, without crossing the antimeridian, and the zoom levels worth rendering. */
export interface TileRange {
  readonly bounds: [west: number, south: number, east: number, north: number]
  readonly center: [longitude: number, latitude: number]
  /** The level at which the whole image fits into one tile. */
  readonly minzoom: number
  /** The first level at which a tile pixel is no larger than an image pixel. */
  readonly maxzoom: number
}

/** The zoom levels and bounds of a raster. If it crosses the antimeridian, the bounds cover the globe. */
export function tileRangeOf(facts: Pick<RasterFacts, 'bounds' | 'width' | 'height'>): TileRange {
  const [west, south, east, north] = facts.bounds as [number, number, number, number]
  const end = east < west ? east + 360 : east
  const [left, bottom] = degreesToMetres(west, clampLatitude(south))
  const [right, top] = degreesToMetres(end, clampLatitude(north))
  const [across, down] = [right - left, top - bottom]
  const pixel = Math.min(across / facts.width, down / facts.height)
  const maxzoom = within(Math.ceil(Math.log2(widest / pixel) - 1e-6))
  const minzoom = Math.min(maxzoom, within(Math.floor(Math.log2((widest * tile_pixels) / Math.max(across, down)))))
  const middle = (west + end) / 2
  return {
    bounds: east < west ? [-180, south, 180, north] : [west, south, east, north],
    center: [middle > 180 ? middle - 360 : middle, (south + north) / 2],
    minzoom,
    maxzoom,
  }
}
