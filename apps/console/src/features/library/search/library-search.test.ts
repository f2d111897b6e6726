import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSearchInput, isFiltered, parseLibrarySearch } from './library-search.ts'

test('a URL keeps what is valid and ignores the rest', () => {
  const search = { project: 'p', q: '2024', from: '2024-05-01', cloud: 20, where: ['gsd < 3'], sort: 'name' }
  assert.deepEqual(parseLibrarySearch({ ...search, q: 2024, v: '1,2,3' }), search)
  assert.deepEqual(parseLibrarySearch({ from: 'May', cloud: 'none', where: 'gsd < 3', sort: 'size', type: 'x' }), {})
})

test('a place in the tree is not a filter', () => {
  assert.equal(isFiltered({ project: 'p', collection: 'c', sort: 'name' }), false)
  assert.equal(isFiltered({ project: 'p', cloud: 0 }), true)
})

test('conditions are joined, and a single one stands alone', () => {
  const { filter, datetime, collections } = createSearchInput({
    collection: 'c',
    to: '2024-05-01',
    cloud: 0,
    where: ['gsd < 3'],
  })
  assert.deepEqual(collections, ['c'])
  assert.equal(datetime, '../2024-05-01T23:59:59.999Z')
  const [cloud, typed] = (filter as { args: unknown[] }).args
  assert.deepEqual(cloud, { op: '<=', args: [{ property: 'eo:cloud_cover' }, 0] })
  assert.deepEqual(typed, { op: '<', args: [{ property: 'gsd' }, 3] })
  assert.deepEqual(createSearchInput({ where: ['gsd < 3'] }).filter, typed)
  assert.equal(createSearchInput({}).filter, undefined)
})

test('signs of patterns in the words of a search are taken literally', () => {
  const text = JSON.stringify(createSearchInput({ q: '50%_a' }).filter)
  assert.ok(text.includes(JSON.stringify(String.raw`%50\%\_a%`)))
})

test('items without a collection are found by a condition', () => {
  assert.deepEqual(createSearchInput({ collection: 'none' }), {
    limit: 50,
    sortby: [{ field: 'created_at', direction: 'desc' }],
    filter: { op: 'isNull', args: [{ property: 'collection' }] },
  })
})
