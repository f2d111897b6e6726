import type { Expression } from '@swath/raster'
import { validationProblem } from '../../engine/problem.ts'
import type { BandFacts } from '../items/raster-facts.ts'
import { readBands } from './bands.ts'
import { readLook, type AskedLook, type Look } from './look.ts'

/** What is measured: bands (0-based), or an expression over them. */
export interface Subject {
  /** The measured bands; with an expression, the bands that it reads. */
  readonly bands: readonly number[]
  readonly formula: MeasuredFormula | null
}

export interface MeasuredFormula {
  readonly expression: Expression
  /** The 0-based band of the raster for each name in the expression. */
  readonly names: Readonly<Record<string, number>>
}

/** The measure target of a style. */
export function subjectOfLook({ bands, formula }: Look): Subject {
  if (!formula) return { bands, formula: null }
  const names = Object.fromEntries([...formula.places].map(([word, place]) => [word, bands[place]!]))
  return { bands, formula: { expression: formula.expression, names } }
}

/**
 * The measure target of a request: an expression, some bands, or every band except alpha. Throws `validation` with the
 * field that does not fit.
 */
export function readSubject(asked: Pick<AskedLook, 'expression' | 'bands'>, bands: readonly BandFacts[]): Subject {
  if (asked.expression) return subjectOfLook(readLook({ expression: asked.expression, bands: asked.bands }, bands))
  if (!asked.bands) return { bands: bands.flatMap(({ colour }, at) => (colour === 'alpha' ? [] : [at])), formula: null }
  const found = readBands(bands, asked.bands)
  if (typeof found !== 'string') return { bands: [...new Set(found)], formula: null }
  const message = `"${found.slice(0, 40)}" is not a band of the image, which has ${bands.length}`
  throw validationProblem([{ path: 'bands', message }])
}

/** The names of the measured values in the response. */
export const namesOfSubject = (
  { bands, formula }: Subject,
  facts: readonly BandFacts[],
): { name: string; band_name: string | null }[] =>
  formula
    ? [{ name: formula.expression.text, band_name: null }]
    : bands.map((at) => ({ name: `b${at + 1}`, band_name: facts[at]?.name ?? null }))
