import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInView } from './fit-item.ts'

const view = [0, 0, 9, 6] as const

test('an item that fills a third of the view in one direction stays as it is shown', () => {
  assert.ok(isInView(view, { bbox: [1, 1, 4, 2] }))
  assert.ok(isInView(view, { bbox: [1, 1, 2, 3] }))
  assert.ok(isInView(view, { bbox: [-20, -20, 20, 20] }), 'larger than the view')
  assert.ok(isInView(view, { bbox: null }), 'nowhere')
})

test('an item that would be a stamp in the view, or is outside, is not in view', () => {
  assert.ok(!isInView(view, { bbox: [1, 1, 2, 2] }))
  assert.ok(!isInView(view, { bbox: [20, 1, 29, 6] }))
})
