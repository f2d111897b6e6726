import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readProcessInputValues } from './inputs.ts'

const polygon = { type: 'Polygon', coordinates: [] }

test('qualified values are their value, alone and among several', () => {
  const inputs = {
    item: 'a',
    geometry: { value: polygon, mediaType: 'application/geo+json' },
    items: [{ value: 'a' }, 'b', { value: 'c', schema: {} }],
    all: { value: [{ value: 1 }, 2] },
    nothing: null,
  }
  assert.deepEqual(readProcessInputValues({ inputs }), {
    item: 'a',
    geometry: polygon,
    items: ['a', 'b', 'c'],
    all: [1, 2],
    nothing: null,
  })
})

test('an object with further members is a value itself, and what is no object of inputs is left to validation', () => {
  const own = { value: 1, unit: 'm' }
  assert.deepEqual(readProcessInputValues({ inputs: { own, geometry: polygon } }), { own, geometry: polygon })
  for (const inputs of [[], 'text', 7]) assert.deepEqual(readProcessInputValues({ inputs }), inputs)
  assert.deepEqual([readProcessInputValues({}), readProcessInputValues({ inputs: null })], [{}, {}])
})
