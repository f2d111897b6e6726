import { createTileMasker, type PixelBlock, RasterFailure, createCrsFromEpsg, crsToLonLat } from '@swath/raster'
import { type AreaGeometry, listPolygonRings } from '@swath/geo/geojson.ts'
import { type QuadCorners, mapToQuadFractions } from '@swath/geo/quad-mapping.ts'
import { type Tile, tileBoundsMetres } from '@swath/geo/tile-grid.ts'
import { metresToDegrees } from '@swath/geo/web-mercator.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import type { HostGrid, HostQuicklook, HostScene } from '../../../platform/integrations/imagery-host.ts'
import { rasterReadLimits } from '../../items/search/read-limits.ts'
import { getCallerRasterJobRunner } from '../../tiles/raster-pool.ts'
import { withTimeout } from '../../tiles/within-time.ts'
import { findTilesOfArea } from './aoi-tiles.ts'
import {
  type CloudPercentages,
  type CloudPixelClass,
  createCloudTotals,
  forEachPixelInArea,
  toCloudPercentages,
} from './cloud-counts.ts'
import { isBlackFill, looksLikeCloud } from './cloud-rule.ts'
import { findFootprintCorners } from '@swath/geo/footprint-corners.ts'
import { isAreaGeometry } from '../price.ts'

interface ImageSize {
  readonly width: number
  readonly height: number
}

/** Maximum difference of the aspect ratio of an image from that of the grid that it shows. */
const proportion_tolerance = 0.02

/**
 * The longitudes and latitudes of the corners of an image: of its own grid; else of the grid of the scene, if the image
 * has its proportions; else of the footprint. A footprint of four corners is taken as the frame of the image, of any other
 * the box around it, so an image that shows more than the footprint is placed wrongly, and one of a curved footprint by
 * some pixels. Null for a scene on both sides of the antimeridian.
 */
async function locateQuicklook(
  { grid, scene_grid }: HostQuicklook,
  size: ImageSize,
  { geometry }: HostScene,
): Promise<QuadCorners | null> {
  const own = grid && (await gridCorners(grid))
  if (own) return own
  const shared = scene_grid && hasProportions(scene_grid, size) ? await gridCorners(scene_grid) : null
  if (shared) return shared
  return isAreaGeometry(geometry) && listPolygonRings(geometry).length === 1 ? findFootprintCorners(geometry) : null
}

function hasProportions({ corners }: HostGrid, { width, height }: ImageSize): boolean {
  const [topLeft, topRight, , bottomLeft] = corners
  const distance = (to: readonly [number, number]): number => Math.hypot(to[0] - topLeft[0], to[1] - topLeft[1])
  const ratio = (distance(topRight) * height) / (distance(bottomLeft) * width)
  return Math.abs(ratio - 1) <= proportion_tolerance
}

/** Null for an unknown reference system, and for a grid outside of it or across the antimeridian. */
async function gridCorners({ epsg, corners }: HostGrid): Promise<QuadCorners | null> {
  try {
    const crs = await createCrsFromEpsg(epsg)
    const [topLeft, topRight, bottomRight, bottomLeft] = corners.map(([x, y]) => {
      const [longitude, latitude] = crsToLonLat(crs, x, y)
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

/** A quicklook is small; larger images are not decoded. */
const max_image_pixels = 8_000_000
const tile_pixels = 256

/**
 * Estimates cloud within an area from the quicklook of a scene, whose pixels count where they are neither transparent
 * nor black. `locateQuicklook` georeferences the image, `looksLikeCloud` classifies its pixels. An area smaller than a
 * pixel of the image gets that pixel. Throws `unsupported-raster` for an image that cannot be decoded or placed, and
 * `budget-exceeded` for one that is too large.
 */
export async function estimateCloudFromQuicklook(
  call: Call,
  { image, scene, area }: { readonly image: HostQuicklook; readonly scene: HostScene; readonly area: AreaGeometry },
): Promise<CloudPercentages> {
  const jobs = getCallerRasterJobRunner(call)
  const limit = { workName: 'decoding of the quicklook', timeout_ms: rasterReadLimits.tile.ms, signal: call.signal }
  const request = { bytes: image.bytes, max_pixels: max_image_pixels }
  const block = await withTimeout(jobs, limit, (signal) => jobs.run('decodeImage', [], request, { signal }))
  const corners = await locateQuicklook(image, block, scene)
  const toFraction = corners && mapToQuadFractions(corners)
  if (!toFraction) throw new Problem('unsupported-raster', 'It is not known where the quicklook lies.')
  const totals = createCloudTotals()
  const maskTile = createTileMasker(area)
  for (const tile of findTilesOfArea(area)) {
    const locate = locateTilePixels(tile)
    forEachPixelInArea(tile, maskTile, tile_pixels, (pixel, weight) => {
      totals.area += weight
      const [u, v] = toFraction(...locate(pixel))
      totals[classifyPixel(block, u, v)] += weight
    })
  }
  return toCloudPercentages(totals, false)
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

/** The class of the pixel at a fraction of the width and height of an image. */
function classifyPixel({ width, height, data, mask }: PixelBlock, u: number, v: number): CloudPixelClass {
  if (!(u >= 0 && u < 1 && v >= 0 && v < 1)) return 'fill'
  const count = width * height
  const at = Math.floor(v * height) * width + Math.floor(u * width)
  const [red, green, blue] = [data[at]!, data[count + at]!, data[2 * count + at]!]
  if (mask[at] === 0 || isBlackFill(red, green, blue)) return 'fill'
  return looksLikeCloud(red / 255, green / 255, blue / 255) ? 'cloud' : 'clear'
}
