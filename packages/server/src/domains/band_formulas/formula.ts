import type { BandFormula } from '@swath/contract/shapes/band-formula.ts'
import { expressionBands, parseColormap, parseExpression, RasterFailure } from '@swath/raster'
import { Problem, validationProblem, type Fault } from '../../engine/problem.ts'
import { sqlState } from '../../platform/database/database.ts'
import type { FormulaRow } from './store.ts'
import { isTemplateName } from './templates.ts'

/** What a formula says: all that its maker decides. */
export type FormulaWords = Pick<
  FormulaRow,
  'name' | 'display_name' | 'formula' | 'description' | 'colormap' | 'value_range' | 'category'
>

/** A formula as callers see it. */
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
 * The bands that the formula needs, in its order. Throws `validation` with every field that cannot be read, and
 * `name-taken` for the name of a template.
 */
export function checkFormula(words: FormulaWords): string[] {
  const faults: Fault[] = []
  const bands = reading('formula', faults, () => expressionBands(parseExpression(words.formula))) ?? null
  if (bands?.length === 0) faults.push({ path: 'formula', message: 'names no band' })
  reading('colormap', faults, () => parseColormap(words.colormap))
  const [low, high] = words.value_range
  if (!(low! < high!)) faults.push({ path: 'value_range', message: 'does not run from a smaller to a greater number' })
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

/** Templates are as they are. */
export const forbiddenTemplate = (name: string): Problem =>
  new Problem('forbidden', `"${name}" is a template, which nobody can change; make a formula of your own from it.`)

const nameTaken = (name: string): Problem =>
  new Problem('name-taken', `The organization already has a band formula named "${name}".`)

const unique_violation = '23505'

/** Makes a broken unique index of names the caller's problem. */
export async function withName<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw sqlState(error) === unique_violation ? nameTaken(name) : error
  }
}
