import { minute_ms } from '@swath/geo/time-units.ts'
import type { backtestOutcomes, AlertComparisonName } from '@swath/contract/schemas/alert-rule.ts'
import type { AlertRuleRow } from './store.ts'

/** The condition under which a rule triggers. */
export type AlertCondition = Pick<
  AlertRuleRow,
  'comparison' | 'threshold' | 'threshold_upper' | 'hysteresis' | 'cooldown_minutes'
>

interface ComparisonDefinition {
  isSatisfied(value: number, lower: number, upper: number): boolean
  /**
   * The direction in which the hysteresis moves the lower and the upper bound, so that fewer values count as returned: 1 up, -1
   * down. Null: the comparison has no hysteresis.
   */
  readonly hysteresis: readonly [lower: number, upper: number] | null
}

export const alertComparisonDefinitions: Readonly<Record<AlertComparisonName, ComparisonDefinition>> = {
  gt: { isSatisfied: (value, bound) => value > bound, hysteresis: [-1, 0] },
  gte: { isSatisfied: (value, bound) => value >= bound, hysteresis: [-1, 0] },
  lt: { isSatisfied: (value, bound) => value < bound, hysteresis: [1, 0] },
  lte: { isSatisfied: (value, bound) => value <= bound, hysteresis: [1, 0] },
  eq: { isSatisfied: (value, bound) => value === bound, hysteresis: null },
  neq: { isSatisfied: (value, bound) => value !== bound, hysteresis: null },
  between: { isSatisfied: (value, lower, upper) => value >= lower && value <= upper, hysteresis: [-1, 1] },
  outside: { isSatisfied: (value, lower, upper) => value < lower || value > upper, hysteresis: [1, -1] },
}

/** True for a comparison with two bounds. */
export const isAlertBetweenComparison = (comparison: AlertComparisonName): boolean =>
  comparison === 'between' || comparison === 'outside'

/** True if the value satisfies the comparison. */
export const isAlertComparisonSatisfied = (
  { comparison, threshold, threshold_upper }: AlertCondition,
  value: number,
): boolean => alertComparisonDefinitions[comparison].isSatisfied(value, threshold, threshold_upper ?? threshold)

/** True if the value is beyond the threshold by the hysteresis, on the side that does not satisfy the comparison. */
function hasReturned({ comparison, threshold, threshold_upper, hysteresis }: AlertCondition, value: number): boolean {
  const definition = alertComparisonDefinitions[comparison]
  const [lower, upper] = definition.hysteresis ?? [0, 0]
  const distance = hysteresis ?? 0
  return !definition.isSatisfied(value, threshold + lower * distance, (threshold_upper ?? threshold) + upper * distance)
}

/** The state of a rule after earlier values. */
export interface AlertTriggerState {
  readonly is_armed: boolean
  readonly last_triggered_at: Date | null
}

export const initialTriggerState: AlertTriggerState = { is_armed: true, last_triggered_at: null }

export type AlertEvaluationOutcome = Exclude<(typeof backtestOutcomes)[number], 'not_measured'>

export interface AlertDecision {
  readonly outcome: AlertEvaluationOutcome
  readonly state: AlertTriggerState
}

/** Decides whether a value triggers the rule at a time, and returns the state after it. */
export function evaluateAlertValue(
  condition: AlertCondition,
  state: AlertTriggerState,
  value: number,
  now: Date,
): AlertDecision {
  const is_armed = condition.hysteresis === null || state.is_armed || hasReturned(condition, value)
  const waiting = { ...state, is_armed }
  if (!isAlertComparisonSatisfied(condition, value)) return { outcome: 'not_satisfied', state: waiting }
  if (!is_armed) return { outcome: 'not_rearmed', state: waiting }
  const { last_triggered_at } = state
  const isCoolingDown =
    last_triggered_at !== null && now.getTime() < last_triggered_at.getTime() + condition.cooldown_minutes * minute_ms
  if (isCoolingDown) return { outcome: 'cooldown', state: waiting }
  return { outcome: 'triggered', state: { is_armed: condition.hysteresis === null, last_triggered_at: now } }
}
