import {
  checkColourOperations,
  listExpressionBands,
  parseColormap,
  parseColourFormula,
  parseExpression,
  parseRescale,
  RasterFailure,
  type Colormap,
  type ColourOperation,
  type Expression,
  type RescaleRange,
  type ToneCurve,
} from '@swath/raster'
import { validationProblem, type FieldError } from '../../../engine/problem.ts'
import type { RasterBandMetadata } from '../../items/assets/raster-metadata.ts'
import { chooseDefaultBands } from '../../visualization/default-bands.ts'
import { findBandLook, type BandLook } from './band-look.ts'
import { findBand, parseBandList } from './bands.ts'

/** The style parameters of a request. */
export interface StyleParameters {
  readonly expression?: string | null
  readonly bands?: string | null
  readonly rescale?: string | null
  readonly colormap?: string | null
  readonly gamma?: number | null
  readonly stretch?: ToneCurve | null
  readonly color_formula?: string | null
}

/** The style parameters among those of a request. */
export const pickStyleParameters = ({
  expression,
  bands,
  rescale,
  colormap,
  gamma,
  stretch,
  color_formula,
}: StyleParameters): StyleParameters => ({ expression, bands, rescale, colormap, gamma, stretch, color_formula })

/** A parsed style: bands of the file, directly or through an expression. */
export interface RenderStyle {
  /** 0-based; one or three, or those of the expression. */
  readonly bands: readonly number[]
  readonly formula: BoundExpression | null
  /** Null if the stretch is computed from the pixels. */
  readonly rescale: readonly RescaleRange[] | null
  readonly colormap: Colormap | null
  /** 1 leaves the stretch as it is. */
  readonly gamma: number
  readonly stretch: ToneCurve
  readonly colourOperations: readonly ColourOperation[]
  /** What the band is known to be, if that determined the range and the colours. */
  readonly look: BandLook | null
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
  readonly colourOperations: readonly ColourOperation[]
}

/** The parameters that can be parsed without knowing the bands. */
const parseParameters = (parameters: StyleParameters, fieldErrors: FieldError[]): ParsedParameters => ({
  expression: parseField('expression', parameters.expression, fieldErrors, parseExpression),
  rescale: parseField('rescale', parameters.rescale, fieldErrors, parseRescale),
  colormap: parseField('colormap', parameters.colormap, fieldErrors, parseColormap),
  colourOperations: parseField('color_formula', parameters.color_formula, fieldErrors, parseColourFormula) ?? [],
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
  const parsed = parseParameters(parameters, fieldErrors)
  const { expression } = parsed
  if (expression && parameters.bands) fieldErrors.push({ path: 'bands', message: 'cannot be combined with expression' })
  const selected = expression
    ? bindExpression(expression, bands, fieldErrors)
    : { bands: selectBands(parameters.bands, bands, fieldErrors), formula: null }
  checkBandCount(selected.formula ? 1 : selected.bands.length, parsed, parameters, fieldErrors)
  if (fieldErrors.length > 0) throw validationProblem(fieldErrors)
  const { rescale, colormap, colourOperations } = parsed
  const look = findOwnLook(selected, parsed, parameters, bands)
  return {
    ...selected,
    rescale: rescale ?? (look?.range ? [look.range] : null),
    colormap: colormap ?? look?.colormap ?? null,
    gamma: parameters.gamma ?? 1,
    stretch: parameters.stretch ?? (isTrueColour(selected, bands) && !rescale ? 'natural' : 'linear'),
    colourOperations,
    look,
  }
}

type SelectedBands = Pick<RenderStyle, 'bands' | 'formula'>

/** True for the bands that show the item as the eye sees it. */
function isTrueColour({ bands: selected, formula }: SelectedBands, bands: readonly RasterBandMetadata[]): boolean {
  return formula === null && selected.length === 3 && chooseDefaultBands(bands).join() === selected.join()
}

/** The look of a single band that no parameter styles; `stretch: linear` asks for shades of grey. */
function findOwnLook(
  { bands: selected, formula }: SelectedBands,
  { rescale, colormap }: ParsedParameters,
  { stretch }: StyleParameters,
  bands: readonly RasterBandMetadata[],
): BandLook | null {
  if (formula || rescale || colormap || stretch || selected.length !== 1) return null
  const band = bands[selected[0]!]
  return band ? findBandLook(band) : null
}

/** Adds an error for each parameter that does not fit the number of bands that are rendered. */
function checkBandCount(
  band_count: number,
  { rescale, colormap, colourOperations }: ParsedParameters,
  { stretch, color_formula }: StyleParameters,
  fieldErrors: FieldError[],
): void {
  if (rescale && ![1, band_count].includes(rescale.length)) {
    fieldErrors.push({ path: 'rescale', message: `has ${rescale.length} pairs for ${band_count} bands` })
  }
  if (colormap && band_count !== 1)
    fieldErrors.push({ path: 'colormap', message: 'needs one band, but three are rendered' })
  if (stretch === 'natural' && band_count !== 3)
    fieldErrors.push({ path: 'stretch', message: 'natural needs three bands, but one is rendered' })
  parseField('color_formula', color_formula, fieldErrors, () => checkColourOperations(colourOperations, band_count))
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
