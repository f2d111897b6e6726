import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatArea, formatAud, formatBytes, formatCredits, formatDate, formatDuration } from './format.ts'

test('one credit is singular, also as a change', () => {
  assert.deepEqual(
    [1, -1, 0, 1750].map((credits) => formatCredits(credits)),
    ['1 credit', '-1 credit', '0 credits', '1,750 credits'],
  )
})

test('sums, areas and sizes have their unit and as many digits as matter', () => {
  assert.deepEqual(
    [formatAud(1776.16), formatArea(1.886), formatArea(68.26), formatArea(1234.5), formatBytes(829_100)],
    ['A$1,776.16', '1.89 km²', '68.3 km²', '1,235 km²', '829.1 KB'],
  )
})

test('an area that is smaller than a hectare is in square metres', () => {
  assert.deepEqual(
    [0, 0.000_004_2, 0.000_35, 0.0099, 0.01].map((km2) => formatArea(km2)),
    ['0 km²', '4.2 m²', '350 m²', '9,900 m²', '0.01 km²'],
  )
})

test('a duration is in milliseconds below one second', () => {
  assert.deepEqual(
    [0, 152.6, 999.6, 9460, 70_971, 1_540_000].map((duration_ms) => formatDuration(duration_ms)),
    ['0 ms', '153 ms', '1 s', '9.5 s', '71 s', '1,540 s'],
  )
})

test('the day of an acquisition is that of UTC', () => {
  assert.equal(formatDate('2024-08-26T23:59:00Z'), '26 Aug 2024')
})
