import { computeWindowCost } from '../../compute/window/window.ts'
import type { RasterLevel, Raster, Resampling } from '../../types.ts'
import { listLocalScaleCells, sampleLocalScaleCells } from './local-scale.ts'
import type { LocalScaleCell, ResamplingRatio } from './local-scale.ts'
import type { PixelRectangle } from './mercator-to-pixel.ts'
import { expandPositionGrid } from './approximation-grid.ts'
import type { ExactTransform } from './approximation-grid.ts'
import { chooseOverviewLevel } from './overview.ts'
import { planWarp } from './warp-plan.ts'
import type { WarpPlan } from './warp-plan.ts'

/** The kernels whose width follows the scale. */
const widenedResamplings: ReadonlySet<Resampling> = new Set(['bilinear', 'cubic'])

/**
 * Plans a part of an image against which the source's system is curved: the level is as fine as the finest cell needs, or the
 * finest that the budget allows, but no coarser than `coarsest`, and each cell has a kernel of its own. Null where the raster
 * is not reached.
 */
export function planWarpCells(
  raster: Raster,
  exact: ExactTransform,
  part: PixelRectangle,
  resampling: Resampling,
  limits: { readonly coarsest: number; readonly bands: number; readonly budget_bytes: number },
): WarpPlan | null {
  const cells = listLocalScaleCells(exact, part, raster)
  const ratios = ratiosOf(cells)
  if (ratios.length === 0) return null
  for (let index = chooseOverviewLevel(raster, finestOf(ratios)); ; index++) {
    const plan = planWarpCellsFromLevel(raster, raster.levels[index]!, exact, part, resampling, cells)
    if (!plan) return null
    const { decodedBytes, answerBytes } = computeWindowCost(raster, plan.level, plan.window, limits.bands)
    if (index < limits.coarsest && Math.max(decodedBytes, answerBytes) > limits.budget_bytes) continue
    return plan
  }
}

/** The same from one level, whatever it costs. */
export function planWarpCellsFromLevel(
  raster: Raster,
  level: RasterLevel,
  exact: ExactTransform,
  part: PixelRectangle,
  resampling: Resampling,
  cells: readonly LocalScaleCell[] = listLocalScaleCells(exact, part, raster),
): WarpPlan | null {
  const ratios = ratiosOf(cells)
  if (ratios.length === 0) return null
  const widest = ratios.reduce((most, ratio) => [Math.max(most[0], ratio[0]), Math.max(most[1], ratio[1])])
  const plan = planWarp(raster, level, exact, part, resampling, scaleIn(level, raster, widest))
  return plan && widenedResamplings.has(resampling) ? withCells(plan, cells, raster) : plan
}

/** The level that the finest part of an image needs, judged by cells all over it; null where the raster is not reached. */
export function findFinestLevel(raster: Raster, exact: ExactTransform, part: PixelRectangle): number | null {
  const ratios = ratiosOf(sampleLocalScaleCells(exact, part, raster))
  return ratios.length === 0 ? null : chooseOverviewLevel(raster, finestOf(ratios))
}

function ratiosOf(cells: readonly LocalScaleCell[]): ResamplingRatio[] {
  return cells.flatMap(({ ratio }) => (ratio ? [ratio] : []))
}

function finestOf(ratios: readonly ResamplingRatio[]): number {
  return ratios.reduce((least, [across]) => Math.min(least, across), Infinity)
}

function withCells(plan: WarpPlan, cells: readonly LocalScaleCell[], raster: Raster): WarpPlan {
  const { part, level, scale: least } = plan
  const scales = cells.flatMap(({ part: cell, ratio }) => {
    if (!ratio) return []
    const [across, down] = scaleIn(level, raster, ratio)
    return [{ part: cell, scale: [Math.max(across, least[0]), Math.max(down, least[1])] as const }]
  })
  return { ...plan, net: expandPositionGrid(plan.net, part.right - part.left, part.bottom - part.top), cells: scales }
}

/** WarpedImage pixels a pixel of the level. */
function scaleIn(level: RasterLevel, raster: Raster, [across, down]: ResamplingRatio): [x: number, y: number] {
  return [raster.width / (level.width * across), raster.height / (level.height * down)]
}
