import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyMergePatch } from './merge-patch.ts'
import { selectItemFields } from './select-fields.ts'

const item = {
  type: 'Feature',
  stac_version: '1.0.0',
  id: 'a',
  geometry: { type: 'Point', coordinates: [1, 2] },
  properties: { datetime: '2024-01-01T00:00:00Z', 'eo:cloud_cover': 5, 'a.b': { c: 1, d: 2 } },
  links: [],
  assets: {},
  stac_extensions: [],
}
const keysOf = (include?: string[] | null, exclude?: string[]): string[] =>
  Object.keys(
    selectItemFields(item, { ...(include === undefined ? {} : { include }), ...(exclude ? { exclude } : {}) }),
  )

test('without field names the result is a valid item with only its datetime', () => {
  for (const fields of [{}, { include: null, exclude: null }, { include: [], exclude: [] }]) {
    const { properties, ...rest } = selectItemFields(item, fields)
    assert.deepEqual(properties, { datetime: '2024-01-01T00:00:00Z' })
    assert.deepEqual(Object.keys(rest), ['type', 'stac_version', 'id', 'geometry', 'links', 'assets'])
  }
})

test('include selects members, exclude removes members, and include takes precedence', () => {
  assert.deepEqual(keysOf(['id', 'geometry']), ['id', 'geometry'])
  assert.deepEqual(keysOf(['geometry'], ['geometry']), ['geometry'])
  assert.ok(!keysOf(undefined, ['geometry']).includes('geometry'))
  assert.ok(keysOf(undefined, ['geometry']).includes('stac_extensions'))
  assert.deepEqual(keysOf(null, ['geometry']), ['type', 'stac_version', 'id', 'properties', 'links', 'assets'])
  const { properties } = selectItemFields(item, { exclude: ['properties.eo:cloud_cover', 'properties.a.b.c'] })
  assert.deepEqual(properties, { datetime: '2024-01-01T00:00:00Z', 'a.b': { d: 2 } })
})

test('a nested member is returned with the members that identify its item', () => {
  const picked = selectItemFields(item, {
    include: ['properties.eo:cloud_cover', 'properties.a.b.d'],
    exclude: ['properties'],
  })
  assert.deepEqual(picked, {
    type: 'Feature',
    stac_version: '1.0.0',
    id: 'a',
    links: [],
    properties: { 'eo:cloud_cover': 5, 'a.b': { d: 2 } },
  })
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
