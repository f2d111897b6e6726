import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rememberPages } from './page-boundaries.ts'

const now = new Date('2026-01-01T00:00:00Z')
const later = (minutes: number): Date => new Date(now.getTime() + minutes * 60_000)
const boundary = (id: string) => ({ values: [id], id })

test('a page begins at its boundary, one a little further on beside it, another by counting', () => {
  const pages = rememberPages()
  assert.deepEqual(pages.startOf('a', 0, 10, now), { after: null, offset: 0 })
  pages.note('a', 100, boundary('x'), now)
  assert.deepEqual(pages.startOf('a', 100, 10, now), { after: boundary('x'), offset: 0 })
  assert.deepEqual(pages.startOf('a', 103, 10, now), { after: boundary('x'), offset: 30 })
  assert.deepEqual(pages.startOf('a', 99, 10, now), { after: null, offset: 990 })
  assert.deepEqual(pages.startOf('a', 500, 10, now), { after: null, offset: 5000 })
  assert.deepEqual(pages.startOf('b', 100, 10, now), { after: null, offset: 1000 })
})

test('the first page is never anything but the beginning', () => {
  const pages = rememberPages()
  pages.note('a', 1, boundary('x'), now)
  assert.deepEqual(pages.startOf('a', 0, 10, now), { after: null, offset: 0 })
})

test('boundaries are forgotten after a while, and the one used longest ago makes room', () => {
  const pages = rememberPages(2)
  pages.note('a', 50, boundary('x'), now)
  assert.equal(pages.startOf('a', 50, 10, later(16)).after, null)
  for (const name of ['a', 'b']) pages.note(name, 50, boundary(name), now)
  assert.ok(pages.startOf('a', 50, 10, now).after)
  pages.note('c', 50, boundary('c'), now)
  assert.equal(pages.startOf('b', 50, 10, now).after, null)
  assert.ok(pages.startOf('a', 50, 10, now).after)
})
