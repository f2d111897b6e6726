import type { Raster } from '../../types.ts'

/** Levels whose scale is this close to the wanted one are taken as they are. */
const ratio_tolerance = 0.1

/**
 * A level is taken though it is this much coarser than the requested resolution, as a part of its scale: in an aligned
 * grid ratio and scale are the same number but for the last digits of a position, or for the half pixel that an odd
 * side was rounded by.
 */
const ratio_noise = 1e-3

/**
 * Picks the level to read from for an image whose pixels are `ratio` pixels of the full level wide. As gdalwarp does,
 * but for rounding noise: the smallest level that is still finer than requested, or one that fits within a tenth.
 */
export function chooseOverviewLevel(raster: Raster, ratio: number): number {
  const scaleOf = (index: number): number => raster.width / raster.levels[index]!.width
  if (!(ratio > 1)) return 0
  let index = 0
  while (index < raster.levels.length - 1) {
    if (Math.abs(scaleOf(index) - ratio) < ratio_tolerance) break
    if (scaleOf(index) < ratio && scaleOf(index + 1) > ratio * (1 + ratio_noise)) break
    index++
  }
  return index
}
