import { clampLatitude, degreesToMetres } from '@swath/geo/web-mercator.ts'
import { lonLatExtent } from '../crs/extent.ts'
import type { Raster } from '../types.ts'

/** Levels whose scale is this close to the wanted one are taken as they are. */
const CLOSE = 0.1

/**
 * Picks the level to read from for a picture whose pixels are `ratio` pixels of the full level wide. As gdalwarp does: the
 * smallest level that is still finer than what is wanted, or one that fits within a tenth.
 */
export function chooseLevel(raster: Raster, ratio: number): number {
  const scaleOf = (index: number): number => raster.width / raster.levels[index]!.width
  if (!(ratio > 1)) return 0
  let index = 0
  while (index < raster.levels.length - 1) {
    if (Math.abs(scaleOf(index) - ratio) < CLOSE) break
    if (scaleOf(index) < ratio && scaleOf(index + 1) > ratio) break
    index++
  }
  return index
}

/** Pixels of the full level in one pixel of a map of `step` EPSG:3857 metres a pixel: both diagonals compared. */
export function mapRatio(raster: Raster, step: number): number {
  const { west, south, east, north } = lonLatExtent(raster)
  const [x0, y0] = degreesToMetres(west, clampLatitude(south))
  const [x1, y1] = degreesToMetres(east, clampLatitude(north))
  return Math.hypot(raster.width, raster.height) / (Math.hypot(x1 - x0, y1 - y0) / step)
}
