import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listSourceIds, toChoices } from './rerun.ts'

const first = '01920000-0000-7000-8000-000000000001'
const second = '01920000-0000-7000-8000-000000000002'

test('the form of a job has its items, its area and its other inputs as texts', () => {
  const geometry = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
    ],
  }
  const input_params = { item: first, geometry, index: 'NDVI', scaled: false, band_mapping: { nir: 'B08' } }
  assert.deepEqual(toChoices({ input_params, project_id: 'p' }), {
    items: [first],
    area: geometry,
    project: 'p',
    values: { index: 'NDVI', scaled: 'false', band_mapping: '{"nir":"B08"}' },
  })
})

test('items are found by their ids and by the URLs of their STAC Features, each once', () => {
  const items = [`https://example.com/stac/collections/c/items/${second}`, first, second, 'not an item']
  assert.deepEqual(listSourceIds({ items, title: first }), [second, first])
})
