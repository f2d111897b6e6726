import { RasterFailure } from '../../failures.ts'
import { rejectPaletteInterpolation } from '../../compute/window/resampling.ts'
import { computeWindowCost } from '../../compute/window/window.ts'
import type { PixelBlock, Raster, TileRequest } from '../../types.ts'
import { addToMosaic, toMosaicBlock, isMosaicComplete, createMosaicAccumulator } from './mosaic.ts'
import type { PixelSelection } from './mosaic.ts'
import { default_tile_budget_bytes, readTile, planTileRead } from './tile.ts'

export interface MosaicTileRequest extends TileRequest {
  /** Rule for overlapping pixels; default is the first valid one. */
  readonly pixelSelection?: PixelSelection
}

/**
 * Reads several rasters into one tile, in order and only until the tile is filled; together they stay within the budget.
 * Band indexes apply to every raster. Failures: those of readTile, and `request` for no rasters, missing bands, or the mean
 * of palette indices.
 */
export async function readMosaicTile(rasters: readonly Raster[], request: MosaicTileRequest): Promise<PixelBlock> {
  const [first] = rasters
  if (!first) throw new RasterFailure('request', 'there is no raster to render')
  if (rasters.length === 1) return readTile(first, request)
  if (request.pixelSelection === 'mean') for (const raster of rasters) rejectPaletteInterpolation(raster, 'average')
  const bands = request.bands ?? first.bands.map((_, index) => index)
  const mosaic = createMosaicAccumulator(request.size, request.size, bands.length, request.pixelSelection)
  let budget_bytes = request.budget_bytes ?? default_tile_budget_bytes
  for (const raster of rasters) {
    const plan = planTileRead(raster, { ...request, bands, budget_bytes })
    if (!plan) continue
    addToMosaic(mosaic, await readTile(raster, { ...request, bands, budget_bytes }))
    if (isMosaicComplete(mosaic)) break
    budget_bytes -= computeWindowCost(raster, plan.level, plan.window, bands.length).decodedBytes
  }
  return toMosaicBlock(mosaic)
}
