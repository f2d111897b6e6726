import type { Kernels, PixelsAt, WarpJob } from '../../compute/kernels/types.ts'
import { cropGrid } from '../plan/approximation-grid.ts'
import type { WarpPlan } from '../plan/warp-plan.ts'

/** Where a cell lies in the part that is drawn, in pixels. */
export interface CellPlace {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/**
 * Draws the cells of a plan one after the other, each with the net and the scale of its own. The memory that a cell reserves is free
 * again for the next one.
 */
export function warpCells(
  kernels: Kernels,
  source: PixelsAt,
  { part, net, resampling, cells = [] }: Pick<WarpPlan, 'part' | 'net' | 'resampling' | 'cells'>,
  draw: (job: Omit<WarpJob, 'target'>, place: CellPlace) => void,
): void {
  for (const cell of cells) {
    const [left, top] = [cell.part.left - part.left, cell.part.top - part.top]
    const [width, height] = [cell.part.right - cell.part.left, cell.part.bottom - cell.part.top]
    const mark = kernels.memory.mark()
    draw(
      { source, net: cropGrid(net, left, top, width, height), resampling, scale: cell.scale },
      { left, top, width, height },
    )
    kernels.memory.release(mark)
  }
}
