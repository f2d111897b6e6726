import type { Expression } from '@swath/raster'
import { validationProblem } from '../../../engine/problem.ts'
import type { RasterBandMetadata } from '../../items/assets/raster-metadata.ts'
import { parseBandList } from '../style/bands.ts'
import { parseRenderStyle, type StyleParameters, type RenderStyle } from '../style/render-style.ts'

/** The target of a measurement: bands (0-based), or an expression over them. */
export interface MeasureTarget {
  /** The measured bands; with an expression, the bands that it reads. */
  readonly bands: readonly number[]
  readonly formula: MeasuredExpression | null
}

export interface MeasuredExpression {
  readonly expression: Expression
  /** The 0-based band of the raster for each name in the expression. */
  readonly names: Readonly<Record<string, number>>
}

/** The measure target of a style. */
export function toMeasureTarget({ bands, formula }: RenderStyle): MeasureTarget {
  if (!formula) return { bands, formula: null }
  const names = Object.fromEntries([...formula.bandIndexes].map(([name, bandIndex]) => [name, bands[bandIndex]!]))
  return { bands, formula: { expression: formula.expression, names } }
}

/**
 * The measure target of a request: an expression, some bands, or every band except alpha. Throws `validation` with the
 * field that does not fit.
 */
export function parseMeasureTarget(
  parameters: Pick<StyleParameters, 'expression' | 'bands'>,
  bands: readonly RasterBandMetadata[],
): MeasureTarget {
  if (parameters.expression)
    return toMeasureTarget(parseRenderStyle({ expression: parameters.expression, bands: parameters.bands }, bands))
  if (!parameters.bands)
    return { bands: bands.flatMap(({ colour }, index) => (colour === 'alpha' ? [] : [index])), formula: null }
  const selected = parseBandList(bands, parameters.bands)
  if (typeof selected !== 'string') return { bands: [...new Set(selected)], formula: null }
  const message = `"${selected.slice(0, 40)}" is not a band of the image, which has ${bands.length}`
  throw validationProblem([{ path: 'bands', message }])
}

/** The names of the measured values in the response. */
export const listMeasuredValueNames = (
  { bands, formula }: MeasureTarget,
  bandMetadata: readonly RasterBandMetadata[],
): { name: string; band_name: string | null }[] =>
  formula
    ? [{ name: formula.expression.text, band_name: null }]
    : bands.map((index) => ({ name: `b${index + 1}`, band_name: bandMetadata[index]?.name ?? null }))
