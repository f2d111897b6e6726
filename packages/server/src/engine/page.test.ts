import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  toCompleteList,
  computeNextOffset,
  toNumberedPage,
  toListPage,
  toListPageWithNextOffset,
  toOffsetPaging,
} from './page.ts'

const rows = ['a', 'b']

test('a list has its rows under their noun, then the requested page and the total, in this order', () => {
  assert.equal(
    JSON.stringify(toListPage('items', { rows, total: 7 }, { limit: 2, offset: 4 })),
    '{"items":["a","b"],"limit":2,"offset":4,"total":7}',
  )
  assert.deepEqual(toListPage('items', { rows, total: 2 }, { limit: 100 }), {
    items: rows,
    limit: 100,
    offset: 0,
    total: 2,
  })
})

test('a list in full is one page of all its rows', () => {
  assert.equal(JSON.stringify(toCompleteList('items', rows)), '{"items":["a","b"],"limit":2,"offset":0,"total":2}')
  assert.deepEqual(toCompleteList('items', []), { items: [], limit: 0, offset: 0, total: 0 })
})

test('the next offset follows the returned rows, and is null on the last page and beyond it', () => {
  assert.equal(
    JSON.stringify(toListPageWithNextOffset('items', { rows, total: 7 }, { limit: 5, offset: 4 })),
    '{"items":["a","b"],"limit":5,"offset":4,"total":7,"next_offset":6}',
  )
  assert.deepEqual(
    [computeNextOffset(5, 2, 7), computeNextOffset(9, 0, 7), computeNextOffset(0, 0, 0)],
    [null, null, null],
  )
})

test('numbered pages say whether they are the last, and an empty list has one page', () => {
  assert.equal(
    JSON.stringify(toNumberedPage({ rows, total: 5 }, { size: 2, page: 1 })),
    '{"content":["a","b"],"last":false,"totalElements":5,"totalPages":3,"size":2,"page":1}',
  )
  assert.equal(toNumberedPage({ rows, total: 4 }, { size: 2, page: 1 }).last, true)
  assert.deepEqual(toNumberedPage({ rows: [], total: 0 }, { size: 20, page: 0 }), {
    content: [],
    last: true,
    totalElements: 0,
    totalPages: 1,
    size: 20,
    page: 0,
  })
  assert.deepEqual(toOffsetPaging({ size: 20, page: 3 }), { limit: 20, offset: 60 })
})
