import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chartTicks } from './chart-ticks.ts'

test('ticks are round and enclose the values', () => {
  assert.deepEqual(chartTicks(0.13, 0.87, 4), [0, 0.2, 0.4, 0.6, 0.8, 1])
  assert.deepEqual(chartTicks(-3, 12, 4), [-5, 0, 5, 10, 15])
  assert.deepEqual(chartTicks(1200, 3900, 4), [1000, 2000, 3000, 4000])
})

test('equal values and no values have an axis too', () => {
  const [low, high] = [chartTicks(5, 5, 4)[0]!, chartTicks(5, 5, 4).at(-1)!]
  assert.ok(low <= 5 && high > 5)
  assert.deepEqual(chartTicks(Infinity, -Infinity, 4), [0, 1])
  assert.ok(chartTicks(0, 0, 4).length > 1)
})
