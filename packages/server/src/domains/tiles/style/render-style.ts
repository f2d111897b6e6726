import {
  listExpressionBands,
  parseColormap,
  parseExpression,
  parseRescale,
  RasterFailure,
  type Colormap,
  type Expression,
  type RescaleRange,
} from '@swath/raster'
import { validationProblem, type FieldError } from '../../../engine/problem.ts'
import type { RasterBandMetadata } from '../../items/assets/raster-metadata.ts'
import { chooseDefaultBands } from '../../visualization/default-bands.ts'
import { findBand, parseBandList } from './bands.ts'

/** The style parameters of a request. */
export interface StyleParameters {
  readonly expression?: string | null
  readonly bands?: string | null
  readonly rescale?: string | null
  readonly colormap?: string | null
  readonly gamma?: number | null
}

/** A parsed style: bands of the file, directly or through an expression. */
export interface RenderStyle {
  /** 0-based; one or three, or those of the expression. */
  readonly bands: readonly number[]
  readonly formula: BoundExpression | null
  /** Null if the stretch is computed from the pixels. */
  readonly rescale: readonly RescaleRange[] | null
  readonly colormap: Colormap | null
  /** 1 leaves the stretch linear. */
  readonly gamma: number
}

export interface BoundExpression {
  readonly expression: Expression
  /** The index of each band name among the bands that are read. */
  readonly bandIndexes: ReadonlyMap<string, number>
}

/** Parses one field; a failure becomes an error of the field. */
function parseField<T>(
  path: string,
  text: string | null | undefined,
  fieldErrors: FieldError[],
  bandsRead: (text: string) => T,
): T | null {
  if (text === null || text === undefined || text === '') return null
  try {
    return bandsRead(text)
  } catch (error) {
    if (!(error instanceof RasterFailure)) throw error
    fieldErrors.push({ path, message: error.message })
    return null
  }
}

interface ParsedParameters {
  readonly expression: Expression | null
  readonly rescale: RescaleRange[] | null
  readonly colormap: Colormap | null
}

/** The parameters that can be parsed without knowing the bands. */
const parseParameters = (parameters: StyleParameters, fieldErrors: FieldError[]): ParsedParameters => ({
  expression: parseField('expression', parameters.expression, fieldErrors, parseExpression),
  rescale: parseField('rescale', parameters.rescale, fieldErrors, parseRescale),
  colormap: parseField('colormap', parameters.colormap, fieldErrors, parseColormap),
})

/**
 * Parses style parameters whose bands are unknown; returns the number of rendered bands, null if it is unknown. Throws
 * `validation` with every invalid field.
 */
export function countStyleBands(parameters: StyleParameters): number | null {
  const fieldErrors: FieldError[] = []
  const { expression } = parseParameters(parameters, fieldErrors)
  if (fieldErrors.length > 0) throw validationProblem(fieldErrors)
  return expression ? 1 : parameters.bands ? parameters.bands.split(',').length : null
}

/** Parses the style of a request on these bands. Throws `validation` with every field that does not fit. */
export function parseRenderStyle(parameters: StyleParameters, bands: readonly RasterBandMetadata[]): RenderStyle {
  const fieldErrors: FieldError[] = []
  const { expression, rescale, colormap } = parseParameters(parameters, fieldErrors)
  if (expression && parameters.bands) fieldErrors.push({ path: 'bands', message: 'cannot be combined with expression' })
  const gamma = parameters.gamma ?? 1
  const style = expression
    ? { ...bindExpression(expression, bands, fieldErrors), rescale, colormap, gamma }
    : { bands: selectBands(parameters.bands, bands, fieldErrors), formula: null, rescale, colormap, gamma }
  const band_count = style.formula ? 1 : style.bands.length
  if (rescale && ![1, band_count].includes(rescale.length)) {
    fieldErrors.push({ path: 'rescale', message: `has ${rescale.length} pairs for ${band_count} bands` })
  }
  if (colormap && band_count !== 1)
    fieldErrors.push({ path: 'colormap', message: 'needs one band, but three are rendered' })
  if (fieldErrors.length > 0) throw validationProblem(fieldErrors)
  return style
}

function selectBands(
  text: string | null | undefined,
  bands: readonly RasterBandMetadata[],
  fieldErrors: FieldError[],
): number[] {
  if (!text) return chooseDefaultBands(bands)
  const selected = parseBandList(bands, text)
  if (typeof selected === 'string') {
    fieldErrors.push({
      path: 'bands',
      message: `"${selected.slice(0, 40)}" is not a band of the image, which has ${bands.length}`,
    })
    return [0]
  }
  if (selected.length !== 1 && selected.length !== 3)
    fieldErrors.push({ path: 'bands', message: 'must name one band or three' })
  return selected
}

function bindExpression(
  expression: Expression,
  bands: readonly RasterBandMetadata[],
  fieldErrors: FieldError[],
): { bands: number[]; formula: BoundExpression } {
  const bandsByName = listExpressionBands(expression).map((name) => [name, findBand(bands, name)] as const)
  for (const [name, index] of bandsByName) {
    if (index === null)
      fieldErrors.push({ path: 'expression', message: `"${name.slice(0, 40)}" is not a band of the image` })
  }
  const bandsRead = [...new Set(bandsByName.map(([, index]) => index ?? 0))]
  if (bandsRead.length === 0) fieldErrors.push({ path: 'expression', message: 'names no band' })
  const bandIndexes = new Map(bandsByName.map(([name, index]) => [name, bandsRead.indexOf(index ?? 0)]))
  return { bands: bandsRead, formula: { expression, bandIndexes } }
}
