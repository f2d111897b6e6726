import { checkWindow } from '../window/window.ts'
import type { Window } from '../window/window.ts'
import type { Raster } from '../../types.ts'
import { splitWindowIntoPieces } from './cut-window.ts'
import { findLevelWithinBudget } from './level-within-budget.ts'
import { checkMeasurementRequest, measureRasterWindow } from './measure-window.ts'
import type { MeasuredWindow } from './measure-window.ts'
import type { RasterStatisticsOptions, RasterStatistics } from './measures.ts'

export interface StatisticsRequest extends RasterStatisticsOptions {
  /**
   * Pixel edges [left, top, right, bottom) of the level; default all of it. With `approximate_pixels` or
   * `max_decoded_bytes` in pixels of the full level; the chosen level uses all pixels that intersect it.
   */
  readonly window?: readonly [x0: number, y0: number, x1: number, y1: number]
}

/**
 * Statistics of the bands of a raster, or of a formula over them: of all of it, of a window, of a level. Each band counts
 * its own valid pixels: those that the mask leaves in, or without a mask alpha and the band's nodata, and that are not NaN. Exact
 * whatever the size: percentiles as numpy's `linear`, mean and population standard deviation to about 1e-12. Infinite samples are values, as in numpy and GDAL. Failures: `request`,
 * `expression`, and those of readWindow.
 */
export async function computeRasterStatistics(
  raster: Raster,
  request: StatisticsRequest = {},
): Promise<RasterStatistics> {
  checkMeasurementRequest(raster, request)
  const asked = request.approximate_pixels === undefined ? (request.level ?? 0) : chooseSmallLevel(raster, request)
  const level = findLevelWithinBudget(raster, asked, request, (index) => windowOf(raster, index, request))
  const window = windowOf(raster, level, request)
  const area: MeasuredWindow = {
    level: checkWindow(raster, level, window, request.bands ?? [0]),
    weighted: false,
    size: (window[2] - window[0]) * (window[3] - window[1]),
    *pieces(pixels) {
      for (const part of splitWindowIntoPieces(area.level, window, pixels)) {
        yield { window: part, runs: null, weights: null }
      }
    },
  }
  const approximate = request.level === undefined && level > 0
  return { level, approximate, window, bands: await measureRasterWindow(raster, area, request) }
}

function chooseSmallLevel(raster: Raster, request: StatisticsRequest): number {
  const [x0, y0, x1, y1] = request.window ?? [0, 0, raster.width, raster.height]
  return findCoarsestLevel(raster, (x1 - x0) * (y1 - y0), request.approximate_pixels!)
}

/** The coarsest level on which `pixels` pixels of the full one are still at least `least`. */
export function findCoarsestLevel(raster: Raster, pixels: number, least: number): number {
  const enough = raster.levels.filter(
    ({ width, height }) => (pixels * width * height) / (raster.width * raster.height) >= least,
  )
  return enough.reduce((best, level) => (level.width < best.width ? level : best), raster.levels[0]!).index
}

function windowOf(raster: Raster, index: number, request: StatisticsRequest): Window {
  const { window, approximate_pixels, max_decoded_bytes } = request
  const level = raster.levels[index]
  if (!level) return window ?? [0, 0, 1, 1]
  if (!window) return [0, 0, level.width, level.height]
  if (approximate_pixels === undefined && max_decoded_bytes === undefined) return window
  const across = level.width / raster.width
  const down = level.height / raster.height
  return [
    Math.floor(window[0] * across),
    Math.floor(window[1] * down),
    Math.min(level.width, Math.ceil(window[2] * across)),
    Math.min(level.height, Math.ceil(window[3] * down)),
  ]
}
