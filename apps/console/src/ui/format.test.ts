import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatArea, formatAud, formatBytes, formatCredits, formatDate } from './format.ts'

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

test('the day of an acquisition is that of UTC', () => {
  assert.equal(formatDate('2024-08-26T23:59:00Z'), '26 Aug 2024')
})
