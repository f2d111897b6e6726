import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCart, sameScene } from './cart.ts'

test('a stored cart is read as it was written, and rubbish is an empty cart', () => {
  const line = { host_name: 'demo', id: 'a', datetime: null, footprint: null, area: null }
  assert.deepEqual(parseCart(JSON.stringify([line])), [line])
  assert.deepEqual(parseCart(JSON.stringify([line, 7, null, {}])), [line])
  for (const text of [null, '', '{', '{}', '7', 'null']) assert.deepEqual(parseCart(text), [], String(text))
})

test('scenes of the same id at two hosts are two scenes', () => {
  const line = { host_name: 'demo', id: 'a', datetime: null, footprint: null, area: null }
  assert.ok(sameScene(line, { host_name: 'demo', id: 'a' }))
  assert.ok(!sameScene(line, { host_name: 'other', id: 'a' }))
})
