import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readProcessInputValues } from './execute-request.ts'

const polygon = { type: 'Polygon', coordinates: [] }

test('references are their URL, and qualified values are their value, alone and among several', () => {
  const inputs = {
    item: 'a',
    geometry: { value: polygon, mediaType: 'application/geo+json' },
    items: [{ value: 'a' }, 'b', { value: 'c', schema: {} }],
    all: { value: [{ value: 1 }, 2] },
    nothing: null,
    reference: { href: 'https://swath.test/items/a', type: 'application/geo+json' },
  }
  assert.deepEqual(readProcessInputValues(inputs), {
    item: 'a',
    geometry: polygon,
    items: ['a', 'b', 'c'],
    all: [1, 2],
    nothing: null,
    reference: 'https://swath.test/items/a',
  })
})

test('an object with further members is a value itself, and what is no object of inputs is left to validation', () => {
  const own = { value: 1, unit: 'm' }
  assert.deepEqual(readProcessInputValues({ own, geometry: polygon }), { own, geometry: polygon })
  for (const inputs of [[], 'text', 7]) assert.deepEqual(readProcessInputValues(inputs), inputs)
  assert.deepEqual([readProcessInputValues(undefined), readProcessInputValues(null)], [{}, {}])
})
