import type { Expression } from '../../compute/expression/expression.ts'
import { createRasterFormula } from '../../compute/statistics/formula.ts'
import type { Window } from '../../compute/window/window.ts'
import type { PixelBlock, Raster } from '../../types.ts'
import { readPreview } from './preview.ts'

/** A formula over a part of a raster, at a size. */
export interface FormulaWindowRequest {
  readonly expression: Expression
  /** The 0-based band of the raster for each name in the formula. */
  readonly names: Readonly<Record<string, number>>
  /** Applies scale and offset of the bands before the formula. */
  readonly scaled?: boolean
  /** Pixels of the full level: left, top, right, bottom. */
  readonly window: Window
  /** Of the result; smaller than the window means that the bands are averaged before the formula. */
  readonly width: number
  readonly height: number
  /** Maximum bytes in memory. */
  readonly budget_bytes?: number
  readonly signal?: AbortSignal
}

/**
 * The values of a formula over a part of a raster: one band of float32, or of float64 where
 * the samples or the formula need it. There is no value where a band that the formula names has
 * none. Failures: `expression`, and those of readPreview.
 */
export async function readFormulaWindow(raster: Raster, request: FormulaWindowRequest): Promise<PixelBlock> {
  const { expression, names, scaled, window, width, height, budget_bytes, signal } = request
  const formula = createRasterFormula(raster, expression, { names, scaled })
  const block = await readPreview(raster, { window, width, height, bands: formula.bands, budget_bytes, signal })
  return formula.apply(block)
}
