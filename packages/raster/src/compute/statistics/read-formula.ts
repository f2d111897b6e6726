import { checkCancelled } from '../../failures.ts'
import { readWindow } from '../window/read-window.ts'
import type { Raster } from '../../types.ts'
import type { Formula } from './formula.ts'
import type { Piece } from './accumulator.ts'
import type { PiecePlan, PieceRequest } from './read-pieces.ts'

/** Evaluates a formula over pieces, one after the other, and visits the results. Failures are those of readWindow. */
export async function readFormula(
  raster: Raster,
  formula: Formula,
  plans: Iterable<PiecePlan>,
  { level, budget_bytes, signal }: PieceRequest,
  visit: (piece: Piece, place: number) => void,
): Promise<void> {
  for (const { window, runs, weights } of plans) {
    checkCancelled(signal)
    const block = await readWindow(raster, { level: level.index, window, bands: formula.bands, budget_bytes, signal })
    const { data, mask } = formula.apply(block)
    visit({ data, stride: 1, mask, runs: runs ?? Int32Array.of(0, data.length), weights }, 0)
  }
}
