import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAnalyseChoices, toAnalyseUrl } from './analyse-url.ts'

const area = {
  type: 'Polygon',
  coordinates: [
    [
      [11, 46],
      [12, 46],
      [12, 47],
      [11, 46],
    ],
  ],
} as const

test('choices are the same after a way through the URL', () => {
  const choices = { items: ['a', 'b'], area, project: 'p', values: { index: 'NDVI', title: '7' } }
  assert.deepEqual(parseAnalyseChoices(toAnalyseUrl(choices)), choices)
})

test('an input without a choice has no parameter, and an invalid one is left out', () => {
  assert.deepEqual(toAnalyseUrl({ items: [], area: null, project: null, values: { index: '' } }), {})
  assert.deepEqual(parseAnalyseChoices({ items: 'a,,a', area: 'here', project: true, set: ['x'] }), {
    items: ['a'],
    area: null,
    project: null,
    values: {},
  })
})
