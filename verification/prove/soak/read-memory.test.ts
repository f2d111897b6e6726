import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeSlope } from './read-memory.ts'

test('computeSlope returns the slope of the best-fitting line', () => {
  assert.equal(computeSlope([5]), 0)
  assert.equal(computeSlope([3, 5, 7, 9]), 2)
  assert.equal(computeSlope([1, -1, -1, 1]), 0)
})
