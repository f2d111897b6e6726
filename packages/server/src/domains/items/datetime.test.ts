import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readInstant, readSpan } from './datetime.ts'

test('instants are read to the millisecond, with offsets and leap seconds', () => {
  const table: readonly (readonly [string, string])[] = [
    ['2024-02-29T10:00:00Z', '2024-02-29T10:00:00.000Z'],
    ['2024-02-29t10:00:00.1239z', '2024-02-29T10:00:00.123Z'],
    ['2024-01-01T00:30:00+01:00', '2023-12-31T23:30:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ]
  for (const [text, instant] of table) assert.equal(readInstant(text)?.toISOString(), instant, text)
})

test('what is no time, or lies in no year of four digits, is none', () => {
  for (const text of [
    'yesterday',
    '2023-02-29T10:00:00Z',
    '2024-01-01T24:00:00Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:60Z',
    '9999-12-31T23:30:00-01:00',
  ]) {
    assert.equal(readInstant(text), null, text)
    assert.match(String(readSpan(text)), /RFC 3339/)
    assert.equal(typeof readSpan(`2024-01-01T00:00:00Z/${text}`), 'string')
  }
})
