import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FoundItem } from '../search/library-search.ts'
import { toFootprints, toListItem } from './found-item.ts'

const point = { type: 'Point', coordinates: [1, 2] } as const
const found = (change: object): FoundItem =>
  ({ id: 's', geometry: point, properties: {}, assets: {}, ...change }) as unknown as FoundItem

test('an item of a scene has the place as its title, and one that was named has its name', () => {
  const properties = {
    title: 'scene',
    'service:scene_id': 'scene',
    place: 'Exeter',
    'service:item_id': 'i',
    datetime: '2024-05-01T00:00:00Z',
  }
  const item = toListItem(found({ properties, collection: 'c' }))
  assert.deepEqual([item.id, item.title, item.name, item.collection], ['i', 'Exeter', 'scene', 'c'])
  assert.equal(toListItem(found({ properties: { ...properties, title: 'NDVI' } })).title, 'NDVI')
  assert.equal(toListItem(found({ properties: { title: 'scene' } })).title, 'scene')
  assert.equal(toListItem(found({})).title, 's')
})

test('an item with a thumbnail or with bands has a picture', () => {
  assert.equal(toListItem(found({ assets: { data: { roles: ['data'] } } })).hasPicture, false)
  assert.equal(toListItem(found({ assets: { data: { 'raster:bands': [] } } })).hasPicture, true)
  assert.equal(toListItem(found({ assets: { small: { roles: ['thumbnail'] } } })).hasPicture, true)
})

test('footprints have the colour of their collection, and items without a place have none', () => {
  const { features } = toFootprints(
    [
      { id: 'a', geometry: point as unknown as GeoJSON.Geometry, collection: 'c' },
      { id: 'b', geometry: point as unknown as GeoJSON.Geometry, collection: null },
      { id: 'd', geometry: null },
    ],
    new Map([['c', '#00ff00']]),
  )
  assert.deepEqual(
    features.map(({ properties }) => properties),
    [{ id: 'a', colour: '#00ff00' }, { id: 'b' }],
  )
})

test('an item without a known time has none in the list', () => {
  const bounds = { datetime: null, start_datetime: '1850-01-01T00:00:00Z', end_datetime: '2026-01-01T00:00:00Z' }
  assert.equal(toListItem(found({ properties: bounds })).at, bounds.start_datetime)
  assert.equal(toListItem(found({ properties: { ...bounds, 'service:time_unknown': true } })).at, null)
})
