import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { gstWithin, isAustralian } from './documents/gst.ts'
import { readDecimal, roundedProduct, roundHalfEven, wholeNumber } from './rounding.ts'

test('halves go to the even neighbour, below zero too, and nothing else is touched by that', () => {
  const table: readonly (readonly [bigint, bigint, bigint])[] = [
    [1n, 2n, 0n],
    [3n, 2n, 2n],
    [5n, 2n, 2n],
    [7n, 2n, 4n],
    [-1n, 2n, 0n],
    [-3n, 2n, -2n],
    [-5n, 2n, -2n],
    [5n, -2n, -2n],
    [-5n, -2n, 2n],
    [49n, 100n, 0n],
    [51n, 100n, 1n],
    [-51n, 100n, -1n],
    [12n, 4n, 3n],
    [0n, 7n, 0n],
  ]
  for (const [above, below, whole] of table) assert.equal(roundHalfEven(above, below), whole, `${above}/${below}`)
})

test('the rounded number is never more than half away, and even when exactly half', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt({ min: 1n }), (above, below) => {
      const whole = roundHalfEven(above, below)
      const twice = 2n * (above - whole * below)
      const distance = twice < 0n ? -twice : twice
      assert.ok(distance <= below)
      if (distance === below) assert.equal(whole % 2n, 0n)
      assert.equal(roundHalfEven(-above, below), -whole)
    }),
  )
})

test('a decimal is what is written, and a number is what it prints as', () => {
  assert.deepEqual(readDecimal('12.345'), { digits: 12_345n, scale: 3 })
  assert.deepEqual(readDecimal('-0.50'), { digits: -50n, scale: 2 })
  assert.deepEqual(readDecimal(0.1), { digits: 1n, scale: 1 })
  assert.deepEqual(readDecimal(1e-7), { digits: 1n, scale: 7 })
  assert.deepEqual(readDecimal(1e21), { digits: 10n ** 21n, scale: 0 })
  for (const wrong of ['', '.5', '1.', '1,000', ' 1', '0x10', '1e999', '1'.repeat(31), Number.NaN, Infinity])
    assert.throws(() => readDecimal(wrong), RangeError, String(wrong))
})

test('products are exact before they are rounded', () => {
  assert.equal(roundedProduct('2.5', 1), 2)
  assert.equal(roundedProduct('3.5', 1), 4)
  // As a float 1.015 × 100 is 101.49999999999999.
  assert.equal(roundedProduct('1.015', '100'), 102)
  assert.equal(roundedProduct(1.125, 100), 112)
  assert.equal(roundedProduct('12.3456', '350'), 4321)
  assert.equal(roundedProduct('-12.3456', '350'), -4321)
  assert.equal(roundedProduct('90071992547409.91', '100'), Number.MAX_SAFE_INTEGER)
  assert.throws(() => roundedProduct('90071992547409.92', '100'), RangeError)
  assert.throws(() => wholeNumber(2n ** 53n), RangeError)
})

test('the tax is an eleventh of the total, rounded once', () => {
  // The rest of a division by 11 is never exactly a half, so the nearest cent is the only answer.
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
  for (const [total, gst] of table) assert.equal(gstWithin(total, 'AU'), gst, String(total))
})

test('tax is due in Australia, and where no country is known', () => {
  for (const country of ['AU', 'au', 'AUS', 'Australia', 'AUSTRALIA', ' australia ', '', null])
    assert.ok(isAustralian(country), String(country))
  for (const country of ['NZ', 'AT', 'Austria', 'Germany', 'A U']) {
    assert.ok(!isAustralian(country))
    assert.equal(gstWithin(11_000, country), null)
  }
})
