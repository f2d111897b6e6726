import type { Expression } from '../../compute/expression/expression.ts'
import type { PixelRows, Raster, Resampling } from '../../types.ts'
import type { CogInput } from '../writer/cog-types.ts'
import { requireAlignedGrids, gridDifference } from './aligned-grids.ts'
import { openWhole } from './expression.ts'
import type { ExpressionOptions } from './expression.ts'
import { createFormulaReader, readFormula } from './formula-rows.ts'
import type { OpenRows } from './formula-rows.ts'
import { padRows } from './pad-rows.ts'
import { createGridReader } from './grid-reader.ts'
import { gridOf } from './suggest-grid.ts'
import { encodeValues, FLOAT_VALUE_FORMAT, valueBand } from './value-format.ts'
import type { ValueRows } from './value-format.ts'

/** `difference` after - before; `ratio` after / before; `normalised` (after - before) / (after + before). */
export type ChangeMeasure = 'difference' | 'ratio' | 'normalised'

export interface ChangeOptions extends ExpressionOptions {
  /** Default difference. */
  readonly measure?: ChangeMeasure
  /** How the files of the later date are brought onto the grid of the earlier ones; default nearest. */
  readonly resampling?: Resampling
}

const MEASURES: Readonly<Record<ChangeMeasure, (before: number, after: number) => number>> = {
  difference: (before, after) => after - before,
  ratio: (before, after) => after / before,
  normalised: (before, after) => (after - before) / (after + before),
}

/**
 * How much a formula has changed between two dates, on the grid of the first one. Where one of them has no value, or the
 * measure gives no finite number, there is none. Names of bands are looked up in the files of each date.
 *
 * @throws RasterFailure as `expressionSource`; `grids_differ` for files of one date on different grids.
 */
export function createChangeInput(
  before: readonly Raster[],
  after: readonly Raster[],
  formula: string | Expression,
  options: ChangeOptions = {},
): CogInput {
  requireAlignedGrids(before)
  requireAlignedGrids(after)
  const [first] = before as [Raster]
  const expression = readFormula(formula)
  const format = options.format ?? FLOAT_VALUE_FORMAT
  const measure = MEASURES[options.measure ?? 'difference']
  const earlier = createFormulaReader(before, expression, options, openWhole(options.signal))
  const later = createFormulaReader(after, expression, options, openOnGrid(first, options))
  const text = typeof formula === 'string' ? formula : formula.text
  return {
    width: first.width,
    height: first.height,
    sampleType: format.sampleType,
    bands: [valueBand(options.name ?? `${options.measure ?? 'difference'} of ${text}`, format)],
    nodata: format.nodata,
    masked: false,
    georeferencing: { affine: first.georeferenced ? first.affine : null, crs: first.crs, geoTags: first.geoTags },
    readRows: async (top, rows) =>
      encodeValues(compare(await earlier(top, rows), await later(top, rows), measure), format),
  }
}

/** Reads files on the grid of another one. */
function openOnGrid(first: Raster, { resampling = 'nearest', signal }: ChangeOptions): OpenRows {
  const grid = gridOf(first)
  const openSame = openWhole(signal)
  return (raster, bands) => {
    if (gridDifference(first, raster) === null) return openSame(raster, bands)
    const read = createGridReader(raster, grid, bands, resampling, signal)
    return async (top, rows): Promise<PixelRows> =>
      padRows(await read(top, rows), {
        width: grid.width,
        top,
        rows,
        bands: bands.length,
        type: raster.sampleType,
        nodata: raster.nodata,
      })
  }
}

function compare(before: ValueRows, after: ValueRows, measure: (before: number, after: number) => number): ValueRows {
  const { width, rows } = before
  const values = new Float32Array(before.values.length)
  const mask = new Uint8Array(values.length)
  for (let at = 0; at < values.length; at++) {
    const value = Math.fround(measure(before.values[at]!, after.values[at]!))
    if (before.mask[at] === 0 || after.mask[at] === 0 || !Number.isFinite(value)) continue
    values[at] = value
    mask[at] = 255
  }
  return { width, rows, values, mask }
}
