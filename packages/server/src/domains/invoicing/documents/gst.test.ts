import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeGst, isAustralian } from './gst.ts'

test('the GST is one eleventh of the total, rounded once', () => {
  // A remainder of a division by 11 is never exactly one half, so there are no ties.
  const table: readonly (readonly [number, number])[] = [
    [0, 0],
    [1, 0],
    [5, 0],
    [6, 1],
    [11, 1],
    [16, 1],
    [17, 2],
    [110_000, 10_000],
    [123_456, 11_223],
    [-17, -2],
    [9_007_199_254_740_991, 818_836_295_885_545],
  ]
  for (const [total, gst] of table) assert.equal(computeGst(total, 'AU'), gst, String(total))
})

test('GST applies in Australia and for an empty country, and nowhere else', () => {
  for (const country of ['AU', 'au', 'AUS', 'Australia', 'AUSTRALIA', ' australia ', '', null])
    assert.ok(isAustralian(country), String(country))
  for (const country of ['NZ', 'AT', 'Austria', 'Germany', 'A U']) {
    assert.ok(!isAustralian(country))
    assert.equal(computeGst(11_000, country), null)
  }
})
