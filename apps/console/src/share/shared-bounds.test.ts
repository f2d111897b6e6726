import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseBounds, uniteBounds } from './shared-bounds.ts'

test('bounds are read from two and three dimensions, and continue beyond the antimeridian', () => {
  assert.deepEqual(parseBounds([1, 2, 3, 4]), [1, 2, 3, 4])
  assert.deepEqual(parseBounds([1, 2, 0, 3, 4, 900]), [1, 2, 3, 4])
  assert.deepEqual(parseBounds([178, -10, -179, 5]), [178, -10, 181, 5])
  for (const bbox of [null, [], [1, 2, 3]]) assert.equal(parseBounds(bbox), null)
})

test('the union of bounds skips items without bounds', () => {
  assert.deepEqual(uniteBounds([null, [1, 2, 3, 4], null, [-5, 3, 2, 9]]), [-5, 2, 3, 9])
  assert.equal(uniteBounds([null]), null)
})
