import { RasterFailure } from '../../failures.ts'
import { computeWindowCost } from '../window/window.ts'
import type { Window } from '../window/window.ts'
import type { Raster } from '../../types.ts'
import { createRasterFormula } from './formula.ts'
import type { RasterStatisticsOptions } from './measures.ts'

/**
 * The wanted level, or the next smaller one of which measuring decodes no more than `max_decoded_bytes`; a `budget`
 * failure where there is none.
 *
 * @param windowOf the box of pixels that is measured on a level.
 */
export function findLevelWithinBudget(
  raster: Raster,
  wanted: number,
  request: RasterStatisticsOptions,
  windowOf: (level: number) => Window,
): number {
  const { max_decoded_bytes: most } = request
  if (most === undefined) return wanted
  const bands = bandCount(raster, request)
  for (let index = wanted; index < raster.levels.length; index++) {
    if (computeWindowCost(raster, raster.levels[index]!, windowOf(index), bands).decodedBytes <= most) return index
  }
  const mebibytes = Math.round(most / 2 ** 20)
  throw new RasterFailure('budget', `measuring this would decode more than ${mebibytes} MiB; choose a smaller area`)
}

function bandCount(raster: Raster, request: RasterStatisticsOptions): number {
  if (request.expression) return createRasterFormula(raster, request.expression, request).bands.length
  return (request.bands ?? raster.bands).length
}
