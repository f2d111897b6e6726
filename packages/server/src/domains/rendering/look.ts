import {
  expressionBands,
  parseColormap,
  parseExpression,
  parseRescale,
  RasterFailure,
  type Colormap,
  type Expression,
  type StretchRange,
} from '@swath/raster'
import { validationProblem, type Fault } from '../../engine/problem.ts'
import type { BandFacts } from '../items/raster-facts.ts'
import { defaultBands } from '../visualization/default-bands.ts'
import { findBand, readBands } from './bands.ts'

/** The style parameters of a request as text. */
export interface AskedLook {
  readonly expression?: string | null
  readonly bands?: string | null
  readonly rescale?: string | null
  readonly colormap?: string | null
}

/** A parsed style: bands of the file, directly or through an expression. */
export interface Look {
  /** 0-based; one or three, or those of the expression. */
  readonly bands: readonly number[]
  readonly formula: Formula | null
  /** Null if the stretch is computed from the pixels. */
  readonly rescale: readonly StretchRange[] | null
  readonly colormap: Colormap | null
}

export interface Formula {
  readonly expression: Expression
  /** The index of each band name among the bands that are read. */
  readonly places: ReadonlyMap<string, number>
}

/** Parses one field; a failure becomes an error of the field. */
function reading<T>(
  path: string,
  text: string | null | undefined,
  faults: Fault[],
  read: (text: string) => T,
): T | null {
  if (text === null || text === undefined || text === '') return null
  try {
    return read(text)
  } catch (error) {
    if (!(error instanceof RasterFailure)) throw error
    faults.push({ path, message: error.message })
    return null
  }
}

interface LookWords {
  readonly expression: Expression | null
  readonly rescale: StretchRange[] | null
  readonly colormap: Colormap | null
}

/** The parameters that can be parsed without knowing the bands. */
const wordsOf = (asked: AskedLook, faults: Fault[]): LookWords => ({
  expression: reading('expression', asked.expression, faults, parseExpression),
  rescale: reading('rescale', asked.rescale, faults, parseRescale),
  colormap: reading('colormap', asked.colormap, faults, parseColormap),
})

/**
 * Parses style parameters whose bands are unknown; returns the number of rendered bands, null if it is unknown. Throws
 * `validation` with every invalid field.
 */
export function readLookWords(asked: AskedLook): number | null {
  const faults: Fault[] = []
  const { expression } = wordsOf(asked, faults)
  if (faults.length > 0) throw validationProblem(faults)
  return expression ? 1 : asked.bands ? asked.bands.split(',').length : null
}

/** Parses the style of a request on these bands. Throws `validation` with every field that does not fit. */
export function readLook(asked: AskedLook, bands: readonly BandFacts[]): Look {
  const faults: Fault[] = []
  const { expression, rescale, colormap } = wordsOf(asked, faults)
  if (expression && asked.bands) faults.push({ path: 'bands', message: 'cannot be combined with expression' })
  const look = expression
    ? { ...lookOfFormula(expression, bands, faults), rescale, colormap }
    : { bands: lookOfBands(asked.bands, bands, faults), formula: null, rescale, colormap }
  const drawn = look.formula ? 1 : look.bands.length
  if (rescale && ![1, drawn].includes(rescale.length)) {
    faults.push({ path: 'rescale', message: `has ${rescale.length} pairs for ${drawn} bands` })
  }
  if (colormap && drawn !== 1) faults.push({ path: 'colormap', message: 'needs one band, but three are rendered' })
  if (faults.length > 0) throw validationProblem(faults)
  return look
}

function lookOfBands(text: string | null | undefined, bands: readonly BandFacts[], faults: Fault[]): number[] {
  if (!text) return defaultBands(bands)
  const found = readBands(bands, text)
  if (typeof found === 'string') {
    faults.push({
      path: 'bands',
      message: `"${found.slice(0, 40)}" is not a band of the image, which has ${bands.length}`,
    })
    return [0]
  }
  if (found.length !== 1 && found.length !== 3) faults.push({ path: 'bands', message: 'must name one band or three' })
  return found
}

function lookOfFormula(
  expression: Expression,
  bands: readonly BandFacts[],
  faults: Fault[],
): { bands: number[]; formula: Formula } {
  const named = expressionBands(expression).map((word) => [word, findBand(bands, word)] as const)
  for (const [word, index] of named) {
    if (index === null)
      faults.push({ path: 'expression', message: `"${word.slice(0, 40)}" is not a band of the image` })
  }
  const read = [...new Set(named.map(([, index]) => index ?? 0))]
  if (read.length === 0) faults.push({ path: 'expression', message: 'names no band' })
  const places = new Map(named.map(([word, index]) => [word, read.indexOf(index ?? 0)]))
  return { bands: read, formula: { expression, places } }
}
