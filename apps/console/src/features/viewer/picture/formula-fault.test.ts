import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formulaNames, locateFault } from './formula-fault.ts'

test('the position of a sentence is that of the word or sign there', () => {
  assert.deepEqual(locateFault('(nir - rd) ^ 2', '“^” at position 12 means nothing in a formula'), {
    start: 11,
    end: 12,
  })
  assert.deepEqual(locateFault('min(red', '“)” is missing before the end at position 8'), { start: 7, end: 7 })
  assert.deepEqual(locateFault('a + foo(b)', 'there is no function “foo” (position 5)'), { start: 4, end: 7 })
})

test('a name that is no band is found as a whole word', () => {
  assert.deepEqual(locateFault('redder + red', '"red" is not a band of the image'), { start: 9, end: 12 })
  assert.equal(locateFault('b1', 'names no band'), null)
})

test('the names of a formula are its bands, not its functions', () => {
  assert.deepEqual(formulaNames('sqrt(nir) + where (red > 2, b1, nir)'), ['nir', 'red', 'b1'])
})
