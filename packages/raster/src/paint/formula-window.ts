import type { Colormap } from '../colour/colormap.ts'
import type { RescaleRange } from '../colour/stretch.ts'
import { readFormulaWindow } from '../draw/formula-window.ts'
import type { FormulaWindowRequest } from '../draw/formula-window.ts'
import type { ImageFormat } from '../encode/image.ts'
import type { Raster } from '../types.ts'
import { packPicture } from './pack.ts'

export interface FormulaWindowPicture extends FormulaWindowRequest {
  /** The values that get the first and the last colour. */
  readonly range: RescaleRange
  readonly colormap: Colormap | null
  readonly format: ImageFormat
}

/**
 * A formula over a part of a raster as an encoded picture, transparent where it has no value. Fails as readFormulaWindow and
 * applyStyle do.
 */
export async function renderFormulaWindow(
  raster: Raster,
  { range, colormap, format, ...request }: FormulaWindowPicture,
): Promise<Uint8Array> {
  const block = await readFormulaWindow(raster, request)
  return packPicture(block, { style: { kind: 'bands', ranges: [range], colormap }, format })
}
