import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countOwnKeys, findDoneSteps, stepOfUrl } from './steps.ts'
import { parseKept } from './kept-steps.ts'

const nothing = { seen: [], order_count: 0, link_count: 0, key_count: 0 } as const

test('a step is done by what has happened, and an order is of a scene that was found', () => {
  assert.deepEqual([...findDoneSteps(nothing)], [])
  assert.deepEqual([...findDoneSteps({ ...nothing, order_count: 2 })], ['find', 'buy'])
  assert.deepEqual([...findDoneSteps({ ...nothing, seen: ['look'], link_count: 1, key_count: 1 })], ['look', 'share', 'call']) // prettier-ignore
})

test('reads that have not arrived leave steps open', () => {
  const unread = { seen: [], order_count: null, link_count: null, key_count: null } as const
  assert.equal(findDoneSteps(unread).size, 0)
})

test('an open scene, the cart and an open item are steps; the places themselves are not', () => {
  assert.equal(stepOfUrl('/explore', { scene: 'open s' }), 'find')
  assert.equal(stepOfUrl('/cart', {}), 'find')
  assert.equal(stepOfUrl('/view', { items: 'i' }), 'look')
  for (const path of ['/explore', '/view', '/orders']) assert.equal(stepOfUrl(path, {}), null)
})

test('a stored text that is not valid means that no step is done', () => {
  const fresh = { seen: [], card: 'auto', order_id: null }
  for (const text of [null, 'x', '[]', '{"card":"x","seen":["x"],"order_id":1}'])
    assert.deepEqual(parseKept(text), fresh)
  const kept = { seen: ['look'], card: 'hidden', order_id: 'o' } as const
  assert.deepEqual(parseKept(JSON.stringify(kept)), kept)
})

test('the key that the server made for its tools is not a call by the person', () => {
  assert.equal(countOwnKeys([{ name: 'Terminal' }]), 0)
  assert.equal(countOwnKeys([{ name: 'Terminal' }, { name: 'Mine' }]), 1)
})
