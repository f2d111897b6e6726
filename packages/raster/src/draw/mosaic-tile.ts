import { RasterFailure } from '../failures.ts'
import { checkMixing } from '../plan/resampling.ts'
import { costOfWindow } from '../tiff/window.ts'
import type { PixelBlock, Raster, TileRequest } from '../types.ts'
import { addToMosaic, finishMosaic, isFull, startMosaic } from './mosaic.ts'
import type { MosaicRule } from './mosaic.ts'
import { DEFAULT_TILE_BUDGET_BYTES, drawTile, planTile } from './tile.ts'

export interface MosaicTileRequest extends TileRequest {
  /** What is seen where several rasters lie over each other; default the first that has a valid pixel. */
  readonly rule?: MosaicRule
}

/**
 * Draws several rasters into one tile. They are read in their order and only while there is something left to fill; all
 * together stay within the budget. Bands mean the same place in every raster. Failures: those of drawTile, and `request`
 * where there is no raster, they do not have the bands, or the mean of indices into a palette is asked for.
 */
export async function drawMosaicTile(rasters: readonly Raster[], request: MosaicTileRequest): Promise<PixelBlock> {
  const [first] = rasters
  if (!first) throw new RasterFailure('request', 'there is nothing to draw')
  if (rasters.length === 1) return drawTile(first, request)
  if (request.rule === 'mean') for (const raster of rasters) checkMixing(raster, 'average')
  const bands = request.bands ?? first.bands.map((_, index) => index)
  const mosaic = startMosaic(request.size, request.size, bands.length, request.rule)
  let budget_bytes = request.budget_bytes ?? DEFAULT_TILE_BUDGET_BYTES
  for (const raster of rasters) {
    const plan = planTile(raster, { ...request, bands, budget_bytes })
    if (!plan) continue
    addToMosaic(mosaic, await drawTile(raster, { ...request, bands, budget_bytes }))
    if (isFull(mosaic)) break
    budget_bytes -= costOfWindow(raster, plan.level, plan.window, bands.length).decodedBytes
  }
  return finishMosaic(mosaic)
}
