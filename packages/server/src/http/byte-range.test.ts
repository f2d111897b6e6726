import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ifNoneMatchIncludes } from '../engine/entity-tag.ts'
import { matchesIfRange, parseRangeHeader } from './byte-range.ts'

test('parses one byte range in its three forms', () => {
  assert.deepEqual(parseRangeHeader('bytes=0-0', 10), { state: 'part', start: 0, end: 0 })
  assert.deepEqual(parseRangeHeader('bytes=2-5', 10), { state: 'part', start: 2, end: 5 })
  assert.deepEqual(parseRangeHeader('bytes=2-', 10), { state: 'part', start: 2, end: 9 })
  assert.deepEqual(parseRangeHeader('bytes=2-99', 10), { state: 'part', start: 2, end: 9 })
  assert.deepEqual(parseRangeHeader('bytes=-3', 10), { state: 'part', start: 7, end: 9 })
  assert.deepEqual(parseRangeHeader('bytes=-99', 10), { state: 'part', start: 0, end: 9 })
  assert.deepEqual(parseRangeHeader('Bytes= 2-5 ', 10), { state: 'part', start: 2, end: 5 })
})

test('a range without any byte of the object is unsatisfiable', () => {
  for (const [header, size] of [
    ['bytes=10-', 10],
    ['bytes=10-20', 10],
    ['bytes=-0', 10],
    ['bytes=0-0', 0],
    ['bytes=-5', 0],
  ] as const) {
    assert.equal(parseRangeHeader(header, size).state, 'unsatisfiable', header)
  }
})

test('ignores malformed, multiple and other ranges', () => {
  for (const header of [
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=5-2',
    'bytes=0-1,3-4',
    'items=0-1',
    'bytes=a-b',
    'bytes=1.5-2',
    'bytes=1-2;',
    `bytes=${'9'.repeat(30)}-`,
  ]) {
    assert.equal(parseRangeHeader(header, 10).state, 'whole', header)
  }
})

test('compares tags weakly for If-None-Match and strongly for If-Range', () => {
  assert.equal(ifNoneMatchIncludes('"abc"', '"abc"'), true)
  assert.equal(ifNoneMatchIncludes('"x", W/"abc"', '"abc"'), true)
  assert.equal(ifNoneMatchIncludes('*', '"abc"'), true)
  assert.equal(ifNoneMatchIncludes('abc', '"abc"'), false)
  assert.equal(ifNoneMatchIncludes(undefined, '"abc"'), false)
  assert.equal(matchesIfRange(undefined, 'abc'), true)
  assert.equal(matchesIfRange('"abc"', 'abc'), true)
  assert.equal(matchesIfRange('W/"abc"', 'abc'), false)
  assert.equal(matchesIfRange('Wed, 21 Oct 2015 07:28:00 GMT', 'abc'), false)
})
