import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toDrawnArea } from './drawn-area.ts'

test('three corners are an area whose ring is closed, two are none', () => {
  const corners = [[0, 0], [1, 0], [1, 1]] as const // prettier-ignore
  assert.deepEqual(toDrawnArea(corners)?.coordinates, [[...corners, corners[0]]])
  assert.equal(toDrawnArea(corners.slice(0, 2)), null)
})
