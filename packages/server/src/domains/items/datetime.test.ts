import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseInstant } from '../../engine/input/instant.ts'
import { parseTimeInterval, parseStrictTimeInterval } from './datetime.ts'

test('timestamps are parsed to the millisecond, with offsets and leap seconds', () => {
  const table: readonly (readonly [string, string])[] = [
    ['2024-02-29T10:00:00Z', '2024-02-29T10:00:00.000Z'],
    ['2024-02-29t10:00:00.1239z', '2024-02-29T10:00:00.123Z'],
    ['2024-01-01T00:30:00+01:00', '2023-12-31T23:30:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ]
  for (const [text, instant] of table) assert.equal(parseInstant(text)?.toISOString(), instant, text)
})

test('invalid timestamps and those outside the years 0001 to 9999 return null', () => {
  for (const text of [
    'yesterday',
    '2023-02-29T10:00:00Z',
    '2024-01-01T24:00:00Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:60Z',
    '9999-12-31T23:30:00-01:00',
  ]) {
    assert.equal(parseInstant(text), null, text)
    assert.match(String(parseTimeInterval(text)), /RFC 3339/)
    assert.equal(typeof parseTimeInterval(`2024-01-01T00:00:00Z/${text}`), 'string')
  }
})

test('a date covers its whole day, and a time without an offset is UTC', () => {
  const table: readonly (readonly [string, string | null, string | null])[] = [
    ['2024-05-01', '2024-05-01T00:00:00.000Z', '2024-05-01T23:59:59.999Z'],
    ['2024-05-01/2024-05-02', '2024-05-01T00:00:00.000Z', '2024-05-02T23:59:59.999Z'],
    ['../2024-05-02', null, '2024-05-02T23:59:59.999Z'],
    ['2024-05-01T10:00:00/..', '2024-05-01T10:00:00.000Z', null],
  ]
  for (const [text, from, to] of table) {
    const span = parseTimeInterval(text)
    assert.ok(typeof span !== 'string', text)
    assert.deepEqual([span.from?.toISOString() ?? null, span.to?.toISOString() ?? null], [from, to], text)
    assert.equal(typeof parseStrictTimeInterval(text), 'string', text)
  }
})
