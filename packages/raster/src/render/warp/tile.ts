import { isValidTile, tileBoundsMetres } from '@swath/geo/tile-grid.ts'
import { RasterFailure } from '../../failures.ts'
import { planWarpCells } from '../plan/cell-plan.ts'
import { findProbeBounds, isSourceScaleNonuniform, probeSourcePositions } from '../plan/local-scale.ts'
import { createMercatorToPixel, findIntersectingWindow } from '../plan/mercator-to-pixel.ts'
import { chooseOverviewLevel } from '../plan/overview.ts'
import { chooseAllowedResampling } from '../../compute/window/resampling.ts'
import { checkWarpPlanBudget, planWarp, computeLevelScale } from '../plan/warp-plan.ts'
import type { WarpPlan } from '../plan/warp-plan.ts'
import { checkBandIndexes } from '../../compute/window/window.ts'
import type { PixelBlock, Raster, TileRequest } from '../../types.ts'
import { createEmptyImageBlock, copyPartIntoImage } from './image-parts.ts'
import { executeWarpPlan } from './warp.ts'

/** Decoded bytes that a tile may cost, unless it is said otherwise. */
export const default_tile_budget_bytes = 67_108_864

/**
 * Reads a Web Mercator tile in the raster's own sample type; default resampling is `nearest`. Outside the raster the mask and
 * the samples are 0; a tile that does not intersect it is empty. Palette indices always use `nearest`.
 * Samples equal `gdalwarp -et 0`; if the scale varies within the tile, the level is that of the finest part and each part
 * has the kernel of its own scale, where gdalwarp uses that of the tile's bounding box. Failures: `request`,
 * `no_georeference`, `budget` (a raster without overviews that is far too large), and those of readWindow.
 */
export async function readTile(raster: Raster, request: TileRequest): Promise<PixelBlock> {
  const bands = request.bands ?? raster.bands.map((_, index) => index)
  const plan = planTileRead(raster, { ...request, bands })
  const { size, signal } = request
  if (!plan) return createEmptyImageBlock(size, size, bands.length, raster.sampleType)
  const block = await executeWarpPlan(raster, plan, bands, { layout: 'bands', fast: true, signal })
  if (block.width === size && block.height === size) return block
  const canvas = createEmptyImageBlock(size, size, bands.length, raster.sampleType)
  copyPartIntoImage(canvas, block, plan.part, 'bands')
  return canvas
}

/**
 * Plans how a tile is read from a raster; null if they do not intersect. Failures: `request`, `no_georeference`,
 * `budget`.
 */
export function planTileRead(
  raster: Raster,
  request: TileRequest & { readonly bands: readonly number[] },
): WarpPlan | null {
  const { size, bands } = request
  const resampling = chooseAllowedResampling(raster, request.resampling ?? 'nearest')
  if (!isValidTile(request))
    throw new RasterFailure('request', `there is no tile ${request.z}/${request.x}/${request.y}`)
  checkBandIndexes(raster, bands)
  const [west, south, , north] = tileBoundsMetres(request)
  const step = (north - south) / size
  const mapping = createMercatorToPixel(raster)
  const part = findIntersectingWindow(raster, { west, north, step }, size, size)
  if (!part) return null
  const exact = (column: number, row: number): [number, number] =>
    mapping.toPixel(west + column * step, north - row * step)
  const probes = probeSourcePositions(exact, { left: 0, top: 0, right: size, bottom: size })
  const box = findProbeBounds(probes)
  const level = raster.levels[chooseOverviewLevel(raster, (box[2] - box[0]) / size)]!
  const { budget_bytes = default_tile_budget_bytes } = request
  const limits = { coarsest: level.index, bands: bands.length, budget_bytes }
  const plan = isSourceScaleNonuniform(probes, box, raster)
    ? planWarpCells(raster, exact, part, resampling, limits)
    : planWarp(raster, level, exact, part, resampling, computeLevelScale(raster, level, box, size, size))
  if (plan) checkWarpPlanBudget(raster, plan, bands.length, budget_bytes)
  return plan
}
