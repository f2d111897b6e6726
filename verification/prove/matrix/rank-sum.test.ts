import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareTimes } from './rank-sum.ts'

const around = (median_ms: number): number[] =>
  Array.from({ length: 200 }, (_, at) => median_ms + ((at * 37) % 100) / 100)

test('equal distributions are not told apart', () => {
  const { effect, ratio } = compareTimes(around(3), around(3))
  assert.ok(Math.abs(effect) < 0.05, String(effect))
  assert.ok(Math.abs(ratio - 1) < 0.02, String(ratio))
})

test('a query that only one of the two makes is seen', () => {
  const { effect, ratio } = compareTimes(around(3.6), around(3))
  assert.ok(effect > 0.5, String(effect))
  assert.ok(ratio > 1.1, String(ratio))
})

test('ties count for both sides', () => {
  const { effect } = compareTimes([1, 1, 1], [1, 1, 1])
  assert.equal(effect, 0)
})
