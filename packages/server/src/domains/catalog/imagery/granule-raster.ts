import { applyAffine, invertAffine, scaleAffine } from '@swath/geo/affine.ts'
import { lonLatToCrs, crsToLonLat, type PixelBlock, type Raster } from '@swath/raster'
import { yieldEvery } from '../../../platform/event-loop.ts'
import { rasterReadLimits } from '../../items/search/read-limits.ts'
import type { OrganizationRasterJobRunner } from '../../tiles/raster-pool.ts'
import { withTimeout } from '../../tiles/within-time.ts'
import { createGranulePointFilter, type GranulePoint, type GranulePoints, type GranuleRequest } from './granule.ts'

/** Pixels of one level: [left, top, right, bottom). */
type PixelWindow = readonly [number, number, number, number]

interface LevelWindow {
  readonly level: number
  readonly window: PixelWindow
  /** Every n-th row and column. */
  readonly step: number
}

/**
 * Reads the centres of the pixels of the first band: of the finest level with no more than `max_points` in the box, else
 * every n-th of the coarsest. Values have the scale and offset of the file.
 */
export async function readRasterPoints(
  raster: Raster,
  request: GranuleRequest,
  { jobs, signal }: { readonly jobs: OrganizationRasterJobRunner; readonly signal: AbortSignal },
): Promise<GranulePoints> {
  const value_label = raster.bands[0]?.name ?? 'b1'
  const chosen = chooseLevel(raster, request)
  if (!chosen) return { points: [], value_label, count: 0 }
  const { level, window } = chosen
  const { decoded_bytes: budget_bytes, ms: timeout_ms } = rasterReadLimits.measurement
  const block = await withTimeout(jobs, { workName: 'granule', timeout_ms, signal }, (limited) =>
    jobs.run('window', [raster], { level, window, bands: [0], budget_bytes }, { signal: limited }),
  )
  const points = await collectPoints(raster, chosen, block, request)
  const { width, height } = raster.levels[level]!
  const pixelsPerPoint = ((raster.width * raster.height) / (width * height)) * chosen.step ** 2
  return { points, value_label, count: Math.round(points.length * pixelsPerPoint) }
}

/** Null if the box is outside the raster. */
function chooseLevel(raster: Raster, request: GranuleRequest): LevelWindow | null {
  const box = boxInPixels(raster, request)
  const windows = raster.levels.map(({ width, height }): PixelWindow => {
    const [columns, rows] = [width / raster.width, height / raster.height]
    return [
      Math.max(0, Math.floor(box[0] * columns)),
      Math.max(0, Math.floor(box[1] * rows)),
      Math.min(width, Math.ceil(box[2] * columns)),
      Math.min(height, Math.ceil(box[3] * rows)),
    ]
  })
  const sizes = windows.map(([left, top, right, bottom]) =>
    right > left && bottom > top ? (right - left) * (bottom - top) : 0,
  )
  if (sizes[0] === 0) return null
  const fitting = sizes.findIndex((size) => size > 0 && size <= request.max_points)
  const level = fitting >= 0 ? fitting : sizes.findLastIndex((size) => size > 0)
  return { level, window: windows[level]!, step: Math.ceil(Math.sqrt(sizes[level]! / request.max_points)) }
}

/** Positions on each edge of the box whose pixels are looked up: its edges may be bent in the raster. */
const edge_positions = 33

function boxInPixels(raster: Raster, { bbox: [west, south, east, north] }: GranuleRequest): PixelWindow {
  const inverse = invertAffine(raster.affine)
  const whole: PixelWindow = [0, 0, raster.width, raster.height]
  if (!inverse || west > east) return whole
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let index = 0; index < edge_positions; index += 1) {
    const part = index / (edge_positions - 1)
    const [longitude, latitude] = [west + part * (east - west), south + part * (north - south)]
    for (const position of [
      [longitude, south],
      [longitude, north],
      [west, latitude],
      [east, latitude],
    ] as const) {
      const [column, row] = applyAffine(inverse, ...lonLatToCrs(raster.crs, ...position))
      if (!Number.isFinite(column) || !Number.isFinite(row)) return whole
      ;[left, right] = [Math.min(left, column), Math.max(right, column)]
      ;[top, bottom] = [Math.min(top, row), Math.max(bottom, row)]
    }
  }
  return [left, top, right, bottom]
}

const points_per_yield = 5000

async function collectPoints(
  raster: Raster,
  { level, window: [left, top], step }: LevelWindow,
  { width, height, data, mask }: PixelBlock,
  request: GranuleRequest,
): Promise<GranulePoint[]> {
  const size = raster.levels[level]!
  const affine = scaleAffine(raster.affine, raster.width / size.width, raster.height / size.height)
  const { scale = 1, offset = 0 } = raster.bands[0] ?? {}
  const isInside = createGranulePointFilter(request)
  const yieldToEventLoop = yieldEvery(points_per_yield)
  const points: GranulePoint[] = []
  for (let row = 0; row < height; row += step) {
    for (let column = 0; column < width; column += step) {
      const pixel = row * width + column
      if (mask[pixel] === 0 || !Number.isFinite(data[pixel])) continue
      const [x, y] = applyAffine(affine, left + column + 0.5, top + row + 0.5)
      const [longitude, latitude] = crsToLonLat(raster.crs, x, y)
      if (isInside(longitude, latitude)) points.push([longitude, latitude, data[pixel]! * scale + offset])
    }
    await yieldToEventLoop(Math.ceil(width / step))
  }
  return points
}
