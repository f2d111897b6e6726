import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BacktestResult } from '@swath/client/operations.ts'
import { toBacktestSeries } from './backtest-series.ts'

const result = (datetime: string | null, computed_value: number | null, outcome: string): BacktestResult =>
  ({ item_id: String(datetime), datetime, computed_value, outcome, reason: null }) as BacktestResult

test('results with a time and a value are drawn, those that would have fired are marked, and the threshold is a level line', () => {
  const { x, series } = toBacktestSeries({ threshold: 0.2, threshold_upper: null }, [
    result('2026-05-01T00:00:00Z', 0.5, 'not_satisfied'),
    result('2026-05-02T00:00:00Z', null, 'not_measured'),
    result(null, 0.4, 'not_satisfied'),
    result('2026-05-03T00:00:00Z', 0.1, 'triggered'),
  ])
  assert.deepEqual(x, [Date.UTC(2026, 4, 1), Date.UTC(2026, 4, 3)])
  assert.deepEqual(
    series.map(({ values }) => values),
    [[0.5, 0.1], [null, 0.1], [0.2, 0.2]], // prettier-ignore
  )
  assert.equal(toBacktestSeries({ threshold: 0, threshold_upper: 1 }, []).series.length, 4)
})
