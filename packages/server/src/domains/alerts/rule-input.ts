import { alertComparisonSymbols, type AlertComparisonName } from '@swath/contract/schemas/alert-rule.ts'
import { RasterFailure } from '@swath/raster'
import { validationProblem, type FieldError } from '../../engine/problem.ts'
import { findAreaError } from '../tiles/aoi.ts'
import { alertComparisonDefinitions, isAlertBetweenComparison } from './condition.ts'
import { parseAlertExpression } from './expression.ts'
import type { AlertRuleFields } from './store.ts'

/** The name of a comparison that may be written as a symbol; the contract allows no other text. */
export const toAlertComparisonName = (comparison: string): AlertComparisonName =>
  Object.hasOwn(alertComparisonSymbols, comparison)
    ? alertComparisonSymbols[comparison as keyof typeof alertComparisonSymbols]
    : (comparison as AlertComparisonName)

/** Throws `validation` with every field of a rule that does not fit the others. */
export function requireValidAlertRule(rule: AlertRuleFields): void {
  const areaError = rule.aoi && findAreaError(rule.aoi, 'aoi')
  const errors = [...expressionErrors(rule), ...thresholdErrors(rule), ...(areaError ? [areaError] : [])]
  if (errors.length > 0) throw validationProblem(errors)
}

function expressionErrors(rule: AlertRuleFields): FieldError[] {
  try {
    const bands = parseAlertExpression(rule)
    return bands.length > 0 ? [] : [{ path: 'expression', message: 'must name at least one band' }]
  } catch (error) {
    if (!(error instanceof RasterFailure)) throw error
    return [{ path: 'expression', message: error.message }]
  }
}

function thresholdErrors({ comparison, threshold, threshold_upper, hysteresis }: AlertRuleFields): FieldError[] {
  const needsUpper = isAlertBetweenComparison(comparison)
  if (needsUpper && threshold_upper === null)
    return [{ path: 'threshold_upper', message: `is required with the comparison "${comparison}"` }]
  if (!needsUpper && threshold_upper !== null)
    return [{ path: 'threshold_upper', message: `is not used by the comparison "${comparison}"` }]
  if (threshold_upper !== null && threshold_upper < threshold)
    return [{ path: 'threshold_upper', message: 'must not be less than threshold' }]
  if (hysteresis === null) return []
  if (alertComparisonDefinitions[comparison].hysteresis === null)
    return [{ path: 'hysteresis', message: `is not used by the comparison "${comparison}"` }]
  const isUnreachable =
    comparison === 'outside' && threshold_upper !== null && hysteresis * 2 > threshold_upper - threshold
  return isUnreachable
    ? [{ path: 'hysteresis', message: 'must be at most half of the distance between the thresholds' }]
    : []
}
