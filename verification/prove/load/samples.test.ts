import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countOutcome, describeTally, quantile, summarize, totalCount, type OutcomeTally } from './samples.ts'

test('quantile returns one of the values, or NaN without values', () => {
  assert.deepEqual([quantile([], 0.5), quantile([7], 0.95)], [NaN, 7])
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
  assert.deepEqual(summarize(hundred), { count: 100, median_ms: 50, p95_ms: 95, max_ms: 100 })
  assert.equal(quantile([10, 9], 0), 9)
})

test('describeTally lists outcomes with their counts in a fixed order', () => {
  const tally: OutcomeTally = new Map()
  for (const outcome of ['timeout', 200, 429, 200]) countOutcome(tally, outcome)
  assert.equal(describeTally(tally), '200: 2, 429: 1, timeout: 1')
  assert.equal(totalCount(tally), 4)
  assert.equal(describeTally(new Map()), 'none')
})
