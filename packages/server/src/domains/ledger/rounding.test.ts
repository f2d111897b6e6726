import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { computeLineAmount, parseDecimal, roundHalfEven, toSafeInteger } from './rounding.ts'

test('rounds to the nearest integer and ties to even, also for negative numbers', () => {
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
  for (const [numerator, denominator, rounded] of table)
    assert.equal(roundHalfEven(numerator, denominator), rounded, `${numerator}/${denominator}`)
})

test('the result is at most one half away, and even for ties', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt({ min: 1n }), (numerator, denominator) => {
      const rounded = roundHalfEven(numerator, denominator)
      const twice = 2n * (numerator - rounded * denominator)
      const distance = twice < 0n ? -twice : twice
      assert.ok(distance <= denominator)
      if (distance === denominator) assert.equal(rounded % 2n, 0n)
      assert.equal(roundHalfEven(-numerator, denominator), -rounded)
    }),
  )
})

test('parses decimal text exactly, and a number as the decimal that it prints as', () => {
  assert.deepEqual(parseDecimal('12.345'), { digits: 12_345n, scale: 3 })
  assert.deepEqual(parseDecimal('-0.50'), { digits: -50n, scale: 2 })
  assert.deepEqual(parseDecimal(0.1), { digits: 1n, scale: 1 })
  assert.deepEqual(parseDecimal(1e-7), { digits: 1n, scale: 7 })
  assert.deepEqual(parseDecimal(1e21), { digits: 10n ** 21n, scale: 0 })
  for (const wrong of ['', '.5', '1.', '1,000', ' 1', '0x10', '1e999', '1'.repeat(31), Number.NaN, Infinity])
    assert.throws(() => parseDecimal(wrong), RangeError, String(wrong))
})

test('the amount of a line is quantity × rate, exact and rounded up', () => {
  const table: readonly (readonly [string | number, string | number, number])[] = [
    ['12.3456', '350', 4321],
    ['12.3456', '212.5', 2624],
    ['0.5', '1', 1],
    ['0.3', '0.125', 1],
    ['0', '350', 0],
    ['8', '12.5', 100],
    // As floats, 30 × 0.1 and 1.1 × 10 are above 3 and 11.
    [30, 0.1, 3],
    [1.1, 10, 11],
    // As a float 1.015 × 100 is 101.49999999999999.
    ['1.015', '100', 102],
    ['1', '0.0000001', 1],
    ['-12.3456', '350', -4320],
    ['90071992547409.91', '100', Number.MAX_SAFE_INTEGER],
  ]
  for (const [quantity, rate, amount] of table)
    assert.equal(computeLineAmount(quantity, rate), amount, `${quantity} × ${rate}`)
  assert.throws(() => computeLineAmount('90071992547409.911', '100'), RangeError)
  assert.throws(() => toSafeInteger(2n ** 53n), RangeError)
})
