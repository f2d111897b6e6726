import type { BandFormula } from '@swath/contract/shapes/band-formula.ts'
import { expressionBands, parseColormap, parseExpression, RasterFailure } from '@swath/raster'
import { Problem, validationProblem, type Fault } from '../../engine/problem.ts'
import { sqlState } from '../../platform/database/database.ts'
import type { FormulaRow } from './store.ts'
import { isTemplateName } from './templates.ts'

/** The fields of a formula that its author sets. */
export type FormulaWords = Pick<
  FormulaRow,
  'name' | 'display_name' | 'formula' | 'description' | 'colormap' | 'value_range' | 'category'
>

/** The representation of a formula. */
export function formulaOf(row: FormulaRow): BandFormula {
  const { created_by: _, ...formula } = row
  return {
    ...formula,
    required_bands: [...row.required_bands],
    value_range: [...row.value_range],
    is_template: false,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/**
 * Validates a formula and returns the bands that it requires, in order. Throws `validation` with every invalid field, and
 * `name-taken` for the name of a template.
 */
export function checkFormula(words: FormulaWords): string[] {
  const faults: Fault[] = []
  const bands = reading('formula', faults, () => expressionBands(parseExpression(words.formula))) ?? null
  if (bands?.length === 0) faults.push({ path: 'formula', message: 'must name at least one band' })
  reading('colormap', faults, () => parseColormap(words.colormap))
  const [low, high] = words.value_range
  if (!(low! < high!)) faults.push({ path: 'value_range', message: 'must run from a smaller to a greater number' })
  if (faults.length > 0) throw validationProblem(faults)
  if (isTemplateName(words.name)) throw nameTaken(words.name)
  return bands!
}

function reading<T>(path: string, faults: Fault[], read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RasterFailure)) throw error
    faults.push({ path, message: error.message })
    return null
  }
}

export const missingFormula = (id: string): Problem => new Problem('not-found', `No band formula has the id "${id}".`)

/** Templates cannot be changed. */
export const forbiddenTemplate = (name: string): Problem =>
  new Problem('forbidden', `"${name}" is a template and cannot be changed; create your own formula from it.`)

const nameTaken = (name: string): Problem =>
  new Problem('name-taken', `The organization already has a band formula named "${name}".`)

const unique_violation = '23505'

/** Converts a unique violation of the name to `name-taken`. */
export async function withName<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw sqlState(error) === unique_violation ? nameTaken(name) : error
  }
}
