import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stacItem } from '../../../../test/hosts/stac-server.ts'
import { listDataAssets, listDocumentAssets, readStacItem } from './stac-item.ts'

const time = '2025-01-01T00:00:00.000Z'

test('properties with texts that a database cannot store are left out, at any depth', () => {
  const properties = {
    datetime: time,
    title: 'kept',
    zero: 'a\u0000',
    half: ['a', { b: '\ud800' }],
    'name\u0000': 1,
    pair: '\ud83d\ude00',
  }
  const { scene } = readStacItem(stacItem('a', time, { properties }))!
  assert.deepEqual(Object.keys(scene.properties).sort(), ['datetime', 'pair', 'title'])
})

test('an item whose id, collection or time cannot be stored is not a scene', () => {
  const isScene = (id: string, datetime: string, changes: Readonly<Record<string, unknown>> = {}): boolean =>
    readStacItem(stacItem(id, datetime, changes)) !== null
  assert.equal(isScene('a', time), true)
  for (const id of ['', 'a\u0000', 'a\n', '\udfff']) assert.equal(isScene(id, time), false, JSON.stringify(id))
  for (const collection of ['a\u0000', '\ud800']) assert.equal(isScene('a', time, { collection }), false)
  for (const year of ['0000', '+012025', '-000001']) assert.equal(isScene('a', `${year}-01-01T00:00:00Z`), false, year)
})

test('documents are metadata in text formats, and never pixels to convert', () => {
  const data = { href: 'a.tif', type: 'image/tiff', roles: ['data'] }
  const assets = {
    data,
    xml: { href: 'a.xml', type: 'application/xml', roles: ['metadata'] },
    page: { href: 'a.html', type: 'text/html', roles: ['metadata'] },
    angles: { ...data, roles: ['metadata'] },
    table: { href: 'a.json', type: 'application/json', roles: ['data'] },
  }
  const item = readStacItem(stacItem('a', time, { assets }))!
  const keysOf = (listed: readonly { readonly key: string }[]) => listed.map(({ key }) => key)
  assert.deepEqual(keysOf(listDocumentAssets(item, null)), ['xml'])
  assert.deepEqual(keysOf(listDocumentAssets(item, ['data'])), [])
  assert.deepEqual(keysOf(listDataAssets(item, null)), ['data'])
  assert.deepEqual(keysOf(listDataAssets(item, ['data', 'xml'])), ['data'])
})
