import type { AlertRule, BacktestResult } from '@swath/client/operations.ts'
import { alertsTexts } from '../../../texts/alerts.ts'
import type { ChartSeries } from '../../../ui/chart/line-chart.tsx'

const words = alertsTexts.backtest

export interface BacktestChart {
  /** Times of acquisition in milliseconds. */
  readonly x: readonly number[]
  readonly series: readonly ChartSeries[]
}

/** The values that could be measured, those that would have fired, and the threshold as lines over time. */
export function toBacktestSeries(
  { threshold, threshold_upper }: Pick<AlertRule, 'threshold' | 'threshold_upper'>,
  results: readonly BacktestResult[],
): BacktestChart {
  const points = results.flatMap(({ datetime, computed_value, outcome }) =>
    datetime !== null && computed_value !== null
      ? [{ time_ms: Date.parse(datetime), value: computed_value, isFired: outcome === 'triggered' }]
      : [],
  )
  const level = (name: string, value: number): ChartSeries => ({
    name,
    colour: 'var(--warning)',
    values: points.map(() => value),
    isReference: true,
  })
  return {
    x: points.map(({ time_ms }) => time_ms),
    series: [
      { name: words.value, colour: 'var(--accent)', values: points.map(({ value }) => value) },
      {
        name: words.fired,
        colour: 'var(--bad)',
        values: points.map(({ value, isFired }) => (isFired ? value : null)),
        isMarkedOnly: true,
      },
      level(words.threshold, threshold),
      ...(threshold_upper === null ? [] : [level(words.upper, threshold_upper)]),
    ],
  }
}
