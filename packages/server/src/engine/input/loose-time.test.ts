import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLooseTime } from './loose-time.ts'

test('times of files are read with their zone, fraction and leap second', () => {
  const rows: readonly [text: string, instant: string][] = [
    ['2024-06-01T08:10:31+10:00', '2024-05-31T22:10:31.000Z'],
    ['2024-06-01T08:10:31-0330', '2024-06-01T11:40:31.000Z'],
    ['2024-06-01T08:10:31+02', '2024-06-01T06:10:31.000Z'],
    ['2024-06-01T10:10:31.024Z', '2024-06-01T10:10:31.024Z'],
    ['2024-06-01 10:10:31,5 UTC', '2024-06-01T10:10:31.500Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2024-06-01T24:00:00', '2024-06-02T00:00:00.000Z'],
    ['2024:06:01 10:10:31', '2024-06-01T10:10:31.000Z'],
    ['2024/06/01 10:10', '2024-06-01T10:10:00.000Z'],
    ['20240601t101031z', '2024-06-01T10:10:31.000Z'],
    ['20240601', '2024-06-01T00:00:00.000Z'],
    [' 2024-02-29 ', '2024-02-29T00:00:00.000Z'],
  ]
  for (const [text, instant] of rows) assert.equal(parseLooseTime(text)?.toISOString(), instant, text)
})

test('text that is no time, and days and times that do not exist, are null', () => {
  const texts = [
    '',
    'yesterday',
    '2023-02-29',
    '2024-13-01',
    '2024-06-01T25:00:00',
    '2024-06-01T24:00:01',
    '2024-06-01T10:61',
  ]
  for (const text of [
    ...texts,
    '2024-06-01T10:10:31+25:00',
    '2024-06-01T10:10:61',
    '2024-0601',
    '2024-06-01T1010:31',
    '1e9',
  ])
    assert.equal(parseLooseTime(text), null, text)
  // Once, such a text took minutes.
  assert.equal(parseLooseTime(`2024-06-01T10:10${' '.repeat(1e6)}x`), null)
})
