import type { AlertRule } from '@swath/client/operations.ts'
import { alertsTexts } from '../../../texts/alerts.ts'

const words = alertsTexts

export type RuleCondition = Pick<AlertRule, 'comparison' | 'threshold' | 'threshold_upper'>

/** Up to four digits after the point: values of indices differ in the third. */
export const formatMeasure = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 4 })

/** `Mean of ndvi`. */
export const describeMeasured = ({ statistic, expression }: Pick<AlertRule, 'statistic' | 'expression'>): string =>
  words.of(words.statistics[statistic], expression)

/** `is below 0.2`. */
export function describeCondition({ comparison, threshold, threshold_upper }: RuleCondition): string {
  const lower = formatMeasure(threshold)
  const bounds = threshold_upper === null ? lower : words.bounds(lower, formatMeasure(threshold_upper))
  return words.condition(words.comparisons[comparison], bounds)
}

/** `Mean of ndvi is below 0.2`. */
export const describeRule = (rule: Pick<AlertRule, 'statistic' | 'expression'> & RuleCondition): string =>
  `${describeMeasured(rule)} ${describeCondition(rule)}`
