import type { Colormap } from './style/colormap.ts'
import type { RescaleRange } from './style/stretch.ts'
import { readFormulaWindow } from './warp/formula-window.ts'
import type { FormulaWindowRequest } from './warp/formula-window.ts'
import type { ImageFormat } from './encode/image.ts'
import type { Raster } from '../types.ts'
import { encodeStyled } from './render-tile.ts'

export interface FormulaWindowImage extends FormulaWindowRequest {
  /** The values that get the first and the last colour. */
  readonly range: RescaleRange
  readonly colormap: Colormap | null
  readonly format: ImageFormat
}

/**
 * A formula over a part of a raster as an encoded image, transparent where it has no value. Fails as readFormulaWindow and
 * applyStyle do.
 */
export async function renderFormulaWindow(
  raster: Raster,
  { range, colormap, format, ...request }: FormulaWindowImage,
): Promise<Uint8Array> {
  const block = await readFormulaWindow(raster, request)
  return encodeStyled(block, { style: { kind: 'bands', ranges: [range], colormap }, format })
}
