import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNodata } from './open-tiff.ts'

test('a nodata value is a number or a word for one', () => {
  assert.equal(parseNodata('-9999', 'int16'), -9999)
  assert.equal(parseNodata('NaN', 'float64'), Number.NaN)
  assert.equal(parseNodata('inf', 'float64'), Number.POSITIVE_INFINITY)
  assert.equal(parseNodata('300', 'uint8'), null)
})

test('names of members of Object.prototype are not words for a number', () => {
  for (const word of ['constructor', 'toString', 'valueOf', '__proto__', 'nothing', '']) {
    assert.equal(parseNodata(word, 'float64'), null, word)
  }
})
