import type { BandFormula } from '@swath/contract/schemas/band-formula.ts'
import { listExpressionBands, parseColormap, parseExpression, RasterFailure } from '@swath/raster'
import { Problem, validationProblem, type FieldError } from '../../engine/problem.ts'
import { replaceUniqueViolation } from '../../platform/database/unique-violation.ts'
import type { BandFormulaRow } from './store.ts'
import { isTemplateName } from './templates.ts'

/** The fields of a formula that its author sets. */
export type EditableBandFormulaFields = Pick<
  BandFormulaRow,
  'name' | 'display_name' | 'formula' | 'description' | 'colormap' | 'value_range' | 'category'
>

/** The representation of a formula. */
export function toBandFormula(row: BandFormulaRow): BandFormula {
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
export function validateBandFormula(input: EditableBandFormulaFields): string[] {
  const fieldErrors: FieldError[] = []
  const bands = parseField('formula', fieldErrors, () => listExpressionBands(parseExpression(input.formula))) ?? null
  if (bands?.length === 0) fieldErrors.push({ path: 'formula', message: 'must name at least one band' })
  parseField('colormap', fieldErrors, () => parseColormap(input.colormap))
  const [low, high] = input.value_range
  if (!(low! < high!)) fieldErrors.push({ path: 'value_range', message: 'must run from a smaller to a greater number' })
  if (fieldErrors.length > 0) throw validationProblem(fieldErrors)
  if (isTemplateName(input.name)) throw formulaNameTaken(input.name)
  return bands!
}

function parseField<T>(path: string, fieldErrors: FieldError[], parse: () => T): T | null {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof RasterFailure)) throw error
    fieldErrors.push({ path, message: error.message })
    return null
  }
}

export const bandFormulaNotFound = (id: string): Problem =>
  new Problem('not-found', `No band formula has the id "${id}".`)

/** Templates cannot be changed. */
export const createTemplateReadOnlyProblem = (name: string): Problem =>
  new Problem('forbidden', `"${name}" is a template and cannot be changed; create your own formula from it.`)

const formulaNameTaken = (name: string): Problem =>
  new Problem('name-taken', `The organization already has a band formula named "${name}".`)

/** Converts a unique violation of the name to `name-taken`. */
export const withUniqueFormulaName = <T>(name: string, work: Promise<T>): Promise<T> =>
  replaceUniqueViolation(work, () => formulaNameTaken(name))
