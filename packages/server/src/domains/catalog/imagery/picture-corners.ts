import { footprintCorners } from '@swath/geo/footprint-corners.ts'
import { polygonsOf } from '@swath/geo/geojson.ts'
import type { QuadCorners } from '@swath/geo/quad-mapping.ts'
import { crsFromEpsg, RasterFailure, toLonLat } from '@swath/raster'
import type { HostGrid, HostPicture, HostScene } from '../../../platform/integrations/imagery-host.ts'
import { isAreaGeometry } from '../price.ts'

export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** Maximum difference of the aspect ratio of a picture from that of the grid that it shows. */
const proportion_tolerance = 0.02

/**
 * The longitudes and latitudes of the corners of a picture: of its own grid; else of the grid of the scene, if the picture
 * has its proportions; else of the footprint. A footprint of four corners is taken as the frame of the picture, of any other
 * the box around it, so a picture that shows more than the footprint is placed wrongly, and one of a curved footprint by
 * some pixels. Null for a scene on both sides of the antimeridian.
 */
export async function locatePicture(
  { grid, scene_grid }: HostPicture,
  size: PictureSize,
  { geometry }: HostScene,
): Promise<QuadCorners | null> {
  const own = grid && (await gridCorners(grid))
  if (own) return own
  const shared = scene_grid && hasProportions(scene_grid, size) ? await gridCorners(scene_grid) : null
  if (shared) return shared
  return isAreaGeometry(geometry) && polygonsOf(geometry).length === 1 ? footprintCorners(geometry) : null
}

function hasProportions({ corners }: HostGrid, { width, height }: PictureSize): boolean {
  const [topLeft, topRight, , bottomLeft] = corners
  const distance = (to: readonly [number, number]): number => Math.hypot(to[0] - topLeft[0], to[1] - topLeft[1])
  const ratio = (distance(topRight) * height) / (distance(bottomLeft) * width)
  return Math.abs(ratio - 1) <= proportion_tolerance
}

/** Null for an unknown reference system, and for a grid outside of it or across the antimeridian. */
async function gridCorners({ epsg, corners }: HostGrid): Promise<QuadCorners | null> {
  try {
    const crs = await crsFromEpsg(epsg)
    const [topLeft, topRight, bottomRight, bottomLeft] = corners.map(([x, y]) => {
      const [longitude, latitude] = toLonLat(crs, x, y)
      return [longitude, latitude] as const
    })
    const located: QuadCorners = [topLeft!, topRight!, bottomRight!, bottomLeft!]
    const longitudes = located.map(([longitude]) => longitude)
    const isLocated = located.flat().every((degrees) => Number.isFinite(degrees))
    return isLocated && Math.max(...longitudes) - Math.min(...longitudes) < 180 ? located : null
  } catch (error) {
    if (error instanceof RasterFailure) return null
    throw error
  }
}
