import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyMergePatch } from '../items/stac/merge-patch.ts'
import { selectItemFields } from './select-fields.ts'

const item = {
  type: 'Feature',
  stac_version: '1.0.0',
  id: 'a',
  collection: 'c',
  geometry: { type: 'Point', coordinates: [1, 2] },
  bbox: [1, 2, 1, 2],
  properties: { datetime: '2024-01-01T00:00:00Z', 'eo:cloud_cover': 5, 'a.b': { c: 1, d: 2 } },
  links: [
    { rel: 'self', href: 'https://swath.test/a' },
    { rel: 'collection', href: 'https://swath.test/c' },
  ],
  assets: { b: { href: 'https://swath.test/b', title: 'B' } },
  stac_extensions: [],
}
const validMembers = ['type', 'stac_version', 'id', 'collection', 'geometry', 'bbox', 'properties', 'links', 'assets']

type Selection = Parameters<typeof selectItemFields>[1]
const keysOf = (fields: Selection): string[] => Object.keys(selectItemFields(item, fields)).toSorted()

test('without field names the result is a valid item with only its datetime', () => {
  for (const fields of [{}, { include: null, exclude: null }, { include: [], exclude: [] }]) {
    assert.deepEqual(selectItemFields(item, fields)['properties'], { datetime: '2024-01-01T00:00:00Z' })
    assert.deepEqual(keysOf(fields), validMembers.toSorted())
  }
})

test('include adds to the members of a valid item, and takes precedence over exclude', () => {
  for (const include of [['id'], ['geometry'], ['properties.eo:cloud_cover'], ['assets.b'], ['unknown']])
    assert.deepEqual(keysOf({ include }), validMembers.toSorted(), include.join())
  assert.deepEqual(keysOf({ include: ['stac_extensions'] }), [...validMembers, 'stac_extensions'].toSorted())
  const picked = selectItemFields(item, {
    include: ['properties.eo:cloud_cover', 'properties.a.b.d', 'geometry'],
    exclude: ['properties', 'geometry'],
  })
  assert.deepEqual(picked['geometry'], item.geometry)
  assert.deepEqual(picked['properties'], { datetime: '2024-01-01T00:00:00Z', 'eo:cloud_cover': 5, 'a.b': { d: 2 } })
})

test('exclude alone removes members from the whole item', () => {
  const { properties, stac_extensions } = selectItemFields(item, {
    exclude: ['properties.eo:cloud_cover', 'properties.a.b.c'],
  })
  assert.deepEqual(properties, { datetime: '2024-01-01T00:00:00Z', 'a.b': { d: 2 } })
  assert.deepEqual(stac_extensions, [])
})

test('what an item must have is empty when it is excluded, and its identity and times stay', () => {
  const rest = { type: 'Feature', stac_version: '1.0.0', id: 'a', collection: 'c', stac_extensions: [] }
  const exclude = ['type', 'stac_version', 'id', 'collection', 'geometry', 'bbox', 'properties', 'links', 'assets']
  assert.deepEqual(selectItemFields(item, { exclude }), {
    ...rest,
    geometry: null,
    properties: { datetime: '2024-01-01T00:00:00Z' },
    links: [{ rel: 'collection', href: 'https://swath.test/c' }],
    assets: {},
  })
  const { geometry, bbox, assets } = selectItemFields(item, { exclude: ['geometry.coordinates', 'assets.b.href'] })
  assert.deepEqual([geometry, bbox, assets], [null, undefined, {}], 'no part of one that is invalid alone')
  assert.deepEqual(selectItemFields(item, { exclude: ['bbox'] })['bbox'], item.bbox, 'it belongs to the geometry')
})

test('a merge patch replaces, merges and removes members as in RFC 7396', () => {
  const target = { a: 'b', c: { d: 'e', f: 'g' }, list: [1, 2] }
  assert.deepEqual(applyMergePatch(target, { a: 'z', c: { f: null }, list: [3], new: { x: null, y: 1 } }), {
    a: 'z',
    c: { d: 'e' },
    list: [3],
    new: { y: 1 },
  })
  assert.deepEqual(
    applyMergePatch({ a: [1] }, JSON.parse('{"a":{"__proto__":{"b":1}}}')),
    JSON.parse('{"a":{"__proto__":{"b":1}}}'),
  )
})
