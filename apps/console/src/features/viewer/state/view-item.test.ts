import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bandNotation, describeBand, findBand, toViewItem, type ViewBand } from './view-item.ts'

const bands: readonly ViewBand[] = [
  { number: 1, name: 'B08', role: 'nir' },
  { number: 2, name: 'B06', role: 'rededge' },
  { number: 3, name: 'B07', role: 'rededge' },
  { number: 4, name: null, role: null },
]

test('a band is written by its role where that is unique, and found by name, role and number', () => {
  assert.deepEqual(bands.map((band) => bandNotation(bands, band)), ['nir', '2', '3', '4']) // prettier-ignore
  for (const notation of ['B07', '3', 'b3']) assert.equal(findBand(bands, notation)?.number, 3)
  assert.equal(findBand(bands, 'x'), undefined)
})

test('a band is shown with name and role, without saying one twice', () => {
  assert.deepEqual(bands.map(describeBand), ['B08 · nir', 'B06 · rededge', 'B07 · rededge', 'b4'])
  assert.equal(describeBand({ number: 1, name: 'NIR', role: 'nir' }), 'NIR')
})

test('only files with bands can be drawn; the item id of the platform is taken', () => {
  const item = toViewItem({
    type: 'Feature', stac_version: '1.0.0', stac_extensions: [], id: 's', geometry: null, links: [],
    properties: { 'service:item_id': 'i', title: 'scene', datetime: null, start_datetime: '2020-01-01T00:00:00Z' },
    assets: {
      notes: { href: 'http://h/api/v1/items/i/assets/n', type: 'text/plain' },
      thumbnail: { href: 'http://h/api/v1/items/i/assets/t', roles: ['thumbnail'] },
      data: { href: 'http://h/api/v1/items/i/assets/a', 'raster:bands': [{}, {}], 'eo:bands': [{ name: 'x' }] },
    } as never,
  }) // prettier-ignore
  assert.deepEqual([item.id, item.name, item.datetime, item.thumbnail], ['i', 'scene', '2020-01-01T00:00:00Z', '/api/v1/items/i/assets/t']) // prettier-ignore
  assert.deepEqual(item.assets.map(({ key, id, bands: found }) => [key, id, found.length]), [['data', 'a', 2]]) // prettier-ignore
})
