import type { Expression } from '../../compute/expression/expression.ts'
import type { Raster } from '../../types.ts'
import type { CogInput } from '../writer/cog-types.ts'
import { requireAlignedGrids } from './aligned-grids.ts'
import { createFormulaReader, resolveFormulaOrIndex } from './formula-rows.ts'
import type { FormulaOptions, OpenBandRows } from './formula-rows.ts'
import { createRowReader } from './row-reader.ts'
import { describeComputedBand, encodeComputedValues } from './computed-band.ts'

export interface ExpressionOptions extends FormulaOptions {
  /** Of the band that is made; default the formula, or the name of the index. */
  readonly name?: string
  readonly signal?: AbortSignal
}

/**
 * One band computed from the bands of files on one grid, by a formula (as `parseExpression` reads it) or the name of a known
 * index. Where a band that is used has no value there is none.
 *
 * @throws RasterFailure `expression` for a formula that cannot be read or names no band, `grids_differ`.
 */
export function createExpressionInput(
  rasters: readonly Raster[],
  formula: string | Expression,
  options: ExpressionOptions = {},
): CogInput {
  requireAlignedGrids(rasters)
  const [first] = rasters as [Raster]
  const expression = resolveFormulaOrIndex(formula)
  const { type, read } = createFormulaReader(rasters, expression, options, createWholeRasterOpener(options.signal))
  return {
    width: first.width,
    height: first.height,
    ...describeComputedBand(options.name ?? (typeof formula === 'string' ? formula : formula.text), type),
    georeferencing: { affine: first.georeferenced ? first.affine : null, crs: first.crs, geoTags: first.geoTags },
    readRows: async (top, rows) => encodeComputedValues(await read(top, rows)),
  }
}

/** Reads files as they are. */
export function createWholeRasterOpener(signal: AbortSignal | undefined): OpenBandRows {
  return (raster, bands) => createRowReader(raster, bands, [0, 0, raster.width, raster.height], signal)
}
