import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slopeOf } from './read-memory.ts'

test('computeSlope returns the slope of the best-fitting line', () => {
  assert.equal(slopeOf([5]), 0)
  assert.equal(slopeOf([3, 5, 7, 9]), 2)
  assert.equal(slopeOf([1, -1, -1, 1]), 0)
})
