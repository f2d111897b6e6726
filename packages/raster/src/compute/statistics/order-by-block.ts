import type { Raster } from '../../types.ts'
import { pixelsOfDegrees, pixelsOfLevel } from '../areas/outline.ts'
import type { AreaCoordinates, OutlineRing } from '../areas/outline.ts'

/**
 * The indexes of areas in the order of the blocks in which they begin, row of blocks by row of blocks; areas without a position
 * come last.
 */
export function orderByBlock(
  raster: Raster,
  areas: readonly (readonly OutlineRing[])[],
  coordinates: AreaCoordinates,
): number[] {
  const level = raster.levels[0]!
  const toGrid = pixelsOfLevel(raster, level)
  const toPixels = coordinates === 'raster' ? toGrid : pixelsOfDegrees(raster, toGrid)
  const [width, height] = level.block
  const across = Math.ceil(level.width / width) + 1
  const keys = areas.map(([ring]) => {
    const [x, y] = toPixels(ring?.points[0] ?? Number.NaN, ring?.points[1] ?? Number.NaN)
    const key = Math.floor(y / height) * across + Math.min(across - 1, Math.max(0, Math.floor(x / width)))
    return Number.isFinite(key) ? key : Number.MAX_VALUE
  })
  return areas.map((_, at) => at).sort((a, b) => keys[a]! - keys[b]!)
}
