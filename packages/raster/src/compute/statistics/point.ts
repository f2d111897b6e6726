import { computeLonLatExtent, isWholeTurn } from '../../formats/crs/extent.ts'
import { findLongitudeCount, unwrapLongitudeNear } from '../../formats/crs/longitude-wrap.ts'
import { RasterFailure, placeOutsideReason } from '../../failures.ts'
import { isNodataSample } from '../../sample-types.ts'
import type { PixelBlock, Raster, RasterLevel } from '../../types.ts'
import { createDegreesToLevelPixels } from '../areas/outline.ts'
import { hasPaletteIndices } from '../window/resampling.ts'
import { readWindow } from '../window/read-window.ts'
import { checkWindow } from '../window/window.ts'
import type { Window } from '../window/window.ts'
import type { ValidValueRules } from './value-chunk.ts'
import { findValidValueRules } from './value-rules.ts'

export interface PointReadRequest {
  /** 0-based; default all. */
  readonly bands?: readonly number[]
  /** Index into `levels`; default 0, the full one. */
  readonly level?: number
  /** Applies scale and offset of the band. */
  readonly scaled?: boolean
  /**
   * `nearest` (default): the pixel that the place lies in. `bilinear`: the four around it by their distance, those without a
   * value left out; none where the pixel itself has none. Indices into a palette are never mixed.
   */
  readonly resampling?: 'nearest' | 'bilinear'
  readonly budget_bytes?: number
  readonly signal?: AbortSignal
}

/** The values of all bands at a point; null for nodata. */
export type PointValues = (number | null)[]

/**
 * Reads the values at a position, one per band; null for nodata. Failures: `outside` if the raster does not cover it,
 * `no_georeference`, `request`, and those of readWindow.
 */
export async function readPoint(
  raster: Raster,
  longitude: number,
  latitude: number,
  request: PointReadRequest = {},
): Promise<PointValues> {
  const { bands = raster.bands.map((_, index) => index), scaled = false, budget_bytes, signal } = request
  const level = checkWindow(raster, request.level ?? 0, [0, 0, 1, 1], bands)
  const [x, y] = findPosition(raster, level, longitude, latitude)
  if (!(x >= 0 && y >= 0 && x < level.width && y < level.height)) throw new RasterFailure('outside', placeOutsideReason)
  const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)]
  const window: Window = [
    Math.max(0, left),
    Math.max(0, top),
    Math.min(level.width, left + 2),
    Math.min(level.height, top + 2),
  ]
  const block = await readWindow(raster, { level: level.index, window, bands, budget_bytes, signal })
  const take = request.resampling === 'bilinear' && !hasPaletteIndices(raster) ? takeBlend : takeNearest
  return bands.map((band, at) =>
    take(block, at, findValidValueRules(raster, level, band, scaled), x - window[0], y - window[1]),
  )
}

/** The last column and row end where a map of the earth does: a meridian is in the first column again, a pole in its row. */
function findPosition(raster: Raster, level: RasterLevel, longitude: number, latitude: number): [x: number, y: number] {
  const extent = computeLonLatExtent(raster)
  const toPixels = createDegreesToLevelPixels(raster, level)
  // A grid in degrees counts on beyond 180 as it likes.
  const [x, y] = toPixels(unwrapLongitudeNear((extent.west + extent.east) / 2, longitude), latitude)
  const { width, height } = level
  const count = isWholeTurn(extent) ? findLongitudeCount(raster.crs) : null
  const columns = count && (count.turn * width) / (raster.affine[1] * raster.width)
  const isAtPole = Math.abs(latitude) === 90 && Math.abs(y - height) < pole_tolerance_pixels
  return [columns && x >= width && x - columns >= 0 ? x - columns : x, isAtPole ? height - 1 : y]
}

/** What a projection and its inverse leave between a pole and the edge of the last row. */
const pole_tolerance_pixels = 1e-3

/** Positions whose blocks are read at one time. */
const concurrent_positions = 4

/** The values at each position; null for one that the raster does not cover. Fails as `readPoint` otherwise. */
export async function readPoints(
  raster: Raster,
  positions: readonly (readonly [longitude: number, latitude: number])[],
  request: PointReadRequest = {},
): Promise<(PointValues | null)[]> {
  const read = ([longitude, latitude]: readonly [number, number]): Promise<PointValues | null> =>
    readPoint(raster, longitude, latitude, request).catch((error: unknown) => {
      if (error instanceof RasterFailure && error.kind === 'outside') return null
      throw error
    })
  const values: (PointValues | null)[] = []
  for (let at = 0; at < positions.length; at += concurrent_positions)
    values.push(...(await Promise.all(positions.slice(at, at + concurrent_positions).map(read))))
  return values
}

function takeNearest(block: PixelBlock, band: number, rules: ValidValueRules, x: number, y: number): number | null {
  const { width, height, data, mask } = block
  const pixel = Math.floor(y) * width + Math.floor(x)
  const sample = data[band * width * height + pixel]!
  const isMissing = (rules.masked && mask[pixel] === 0) || isNodataSample(sample, rules.nodata) || Number.isNaN(sample)
  return isMissing ? null : sample * rules.scale + rules.offset
}

function takeBlend(block: PixelBlock, band: number, rules: ValidValueRules, x: number, y: number): number | null {
  if (takeNearest(block, band, rules, x, y) === null) return null
  const left = Math.floor(x - 0.5)
  const top = Math.floor(y - 0.5)
  let [sum, weights] = [0, 0]
  for (const column of [left, left + 1]) {
    for (const row of [top, top + 1]) {
      if (column < 0 || row < 0 || column >= block.width || row >= block.height) continue
      const weight = (1 - Math.abs(x - 0.5 - column)) * (1 - Math.abs(y - 0.5 - row))
      const value = weight > 0 ? takeNearest(block, band, rules, column, row) : null
      if (value === null) continue
      sum += value * weight
      weights += weight
    }
  }
  return sum / weights
}
