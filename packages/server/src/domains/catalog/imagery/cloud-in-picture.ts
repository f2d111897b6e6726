import type { PixelBlock } from '@swath/raster'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { mapIntoQuad } from '@swath/geo/quad-mapping.ts'
import { tileBoundsMetres, type Tile } from '@swath/geo/tile-grid.ts'
import { metresToDegrees } from '@swath/geo/web-mercator.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import type { HostPicture, HostScene } from '../../../platform/integrations/imagery-host.ts'
import { readLimits } from '../../items/search/read-limits.ts'
import { rasterJobsOf } from '../../rendering/raster-pool.ts'
import { withTimeout } from '../../rendering/within-time.ts'
import { tilesOfArea } from './aoi-tiles.ts'
import {
  createCloudTotals,
  forEachPixelInArea,
  toPercentages,
  type CloudPercentages,
  type PixelClass,
} from './cloud-counts.ts'
import { isBlackFill, looksLikeCloud } from './cloud-rule.ts'
import { locatePicture } from './picture-corners.ts'

/** A quicklook is small; larger pictures are not decoded. */
const max_picture_pixels = 8_000_000
const tile_pixels = 256

/**
 * Estimates cloud within an area from the quicklook of a scene, whose pixels count where they are neither transparent
 * nor black. `locatePicture` georeferences the picture, `looksLikeCloud` classifies its pixels. An area smaller than a
 * pixel of the picture gets that pixel. Throws `unsupported-raster` for a picture that cannot be decoded or placed, and
 * `budget-exceeded` for one that is too large.
 */
export async function estimateCloudFromPicture(
  call: Call,
  { picture, scene, area }: { readonly picture: HostPicture; readonly scene: HostScene; readonly area: AreaGeometry },
): Promise<CloudPercentages> {
  const jobs = rasterJobsOf(call)
  const limit = { workName: 'decoding of the quicklook', timeout_ms: readLimits.tile.ms, signal: call.signal }
  const request = { bytes: picture.bytes, max_pixels: max_picture_pixels }
  const block = await withTimeout(jobs, limit, (signal) => jobs.run('decodeImage', [], request, { signal }))
  const corners = await locatePicture(picture, block, scene)
  const toFraction = corners && mapIntoQuad(corners)
  if (!toFraction) throw new Problem('unsupported-raster', 'It is not known where the quicklook lies.')
  const totals = createCloudTotals()
  for (const tile of tilesOfArea(area)) {
    const locate = locateTilePixels(tile)
    forEachPixelInArea(tile, area, tile_pixels, (pixel, weight) => {
      totals.area += weight
      const [u, v] = toFraction(...locate(pixel))
      totals[classifyPixel(block, u, v)] += weight
    })
  }
  return toPercentages(totals, false)
}

/** The longitude and latitude of the centre of a pixel. */
function locateTilePixels(tile: Tile): (pixel: number) => [longitude: number, latitude: number] {
  const [west, south, east, north] = tileBoundsMetres(tile)
  const [columnWidth, rowHeight] = [(east - west) / tile_pixels, (north - south) / tile_pixels]
  return (pixel) => {
    const [column, row] = [pixel % tile_pixels, Math.floor(pixel / tile_pixels)]
    return metresToDegrees(west + (column + 0.5) * columnWidth, north - (row + 0.5) * rowHeight)
  }
}

/** The class of the pixel at a fraction of the width and height of a picture. */
function classifyPixel({ width, height, data, mask }: PixelBlock, u: number, v: number): PixelClass {
  if (!(u >= 0 && u < 1 && v >= 0 && v < 1)) return 'fill'
  const count = width * height
  const at = Math.floor(v * height) * width + Math.floor(u * width)
  const [red, green, blue] = [data[at]!, data[count + at]!, data[2 * count + at]!]
  if (mask[at] === 0 || isBlackFill(red, green, blue)) return 'fill'
  return looksLikeCloud(red / 255, green / 255, blue / 255) ? 'cloud' : 'clear'
}
