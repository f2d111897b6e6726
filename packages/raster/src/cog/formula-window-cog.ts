import { scaleAffine } from '@swath/geo/affine.ts'
import { readFormulaWindow } from '../render/warp/formula-window.ts'
import type { FormulaWindowRequest } from '../render/warp/formula-window.ts'
import { getSampleTypeOfArray } from '../sample-types.ts'
import type { PixelBlock, PixelRows, Raster } from '../types.ts'
import type { CogResult } from './writer/cog-types.ts'
import { writeCog } from './writer/cog.ts'
import { shiftAffineToPixel } from './sources/shift-affine.ts'
import { describeComputedBand } from './sources/computed-band.ts'

export interface FormulaWindowCog extends FormulaWindowRequest {
  /** Of the file that is written. */
  readonly path: string
  /** Of its band. */
  readonly name: string
}

/**
 * Writes a formula over a part of a raster as a cloud optimized GeoTIFF of one band (float32, or float64 where it needs that), NaN where it has no value. Fails
 * as readFormulaWindow and writeCog do.
 */
export async function formulaWindowToCog(
  raster: Raster,
  { path, name, ...request }: FormulaWindowCog,
): Promise<CogResult> {
  const { window, width, height, signal } = request
  const block = await readFormulaWindow(raster, request)
  const [x0, y0, x1, y1] = window
  const corner = shiftAffineToPixel(raster.affine, x0, y0)
  const affine = raster.georeferenced ? scaleAffine(corner, (x1 - x0) / width, (y1 - y0) / height) : null
  const input = {
    width,
    height,
    ...describeComputedBand(name, getSampleTypeOfArray(block.data) === 'float64' ? 'float64' : 'float32'),
    georeferencing: { affine, crs: raster.crs, geoTags: raster.geoTags },
    readRows: async (top: number, rows: number) => rowsOf(block, top, rows),
  }
  return writeCog(input, path, { signal })
}

/** Rows of a block of one band. */
function rowsOf({ width, data, mask }: PixelBlock, top: number, rows: number): PixelRows {
  const [from, to] = [top * width, (top + rows) * width]
  return { width, rows, bands: 1, data: data.subarray(from, to), mask: mask.subarray(from, to) }
}
