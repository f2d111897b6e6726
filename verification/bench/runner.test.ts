import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeFigure, holds } from './runner.ts'

test('a figure passes at its bound, in either direction, and never when it was not measured', () => {
  assert.equal(holds({ name: 'speed', value: 1.5, must: 1.5 }), true)
  assert.equal(holds({ name: 'speed', value: 1.49, must: 1.5 }), false)
  assert.equal(holds({ name: 'memory', value: 512, must: 512, atMost: true }), true)
  assert.equal(holds({ name: 'memory', value: 513, must: 512, atMost: true }), false)
  for (const atMost of [true, false]) assert.equal(holds({ name: 'none', value: NaN, must: 0, atMost }), false)
})

test('describeFigure prints name, value, bounds and result in one phrase', () => {
  assert.equal(describeFigure({ name: 'speed', value: 1.234, must: 1, aim: 2 }), 'speed 1.23 (must 1, aim 2) holds')
  assert.equal(
    describeFigure({ name: 'error', value: 1.6e-8, must: 1e-9, atMost: true }),
    'error 1.6e-8 (must not exceed 1e-9) DOES NOT HOLD',
  )
  assert.equal(describeFigure({ name: 'share', value: 0.99912, must: 0.999 }), 'share 0.99912 (must 0.999) holds')
})
