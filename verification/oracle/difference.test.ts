import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareSamples, countMaskDifferences, validRange } from './difference.ts'

test('compareSamples counts differences in all bands where the mask is set', () => {
  const ours = Float32Array.of(1, 2, NaN, 4, 5, 6, 7, 8)
  const theirs = Float32Array.of(1, 3, NaN, 9, 5, 6, NaN, 8)
  assert.deepEqual(compareSamples(ours, theirs, 1), { compared: 8, unequal: 3, beyond: 2, largest: Infinity })
  const mask = Uint8Array.of(255, 255, 0, 0)
  assert.deepEqual(compareSamples(ours, theirs, 1, { mask }), { compared: 4, unequal: 1, beyond: 0, largest: 1 })
  assert.deepEqual(compareSamples(ours, ours.slice(), 0, { mask }), { compared: 4, unequal: 0, beyond: 0, largest: 0 })
  assert.equal(compareSamples(ours, theirs.subarray(1), 1).beyond, 7)
})

test('compareSamples treats infinities as equal to themselves only, and ignores NaN on request', () => {
  const ours = Float64Array.of(Infinity, Infinity, 1, NaN)
  const theirs = Float64Array.of(Infinity, -Infinity, NaN, 2)
  assert.equal(compareSamples(ours, theirs, 1e300).beyond, 3)
  assert.equal(compareSamples(ours, theirs, 1e300, { ignoreNaN: true }).beyond, 2)
})

test('countMaskDifferences counts pixels that are valid in one mask only', () => {
  assert.equal(countMaskDifferences(Uint8Array.of(0, 1, 255, 0), Uint8Array.of(0, 255, 0, 255)), 2)
  assert.equal(countMaskDifferences(Uint8Array.of(0, 1), Uint8Array.of(0, 255, 0)), 3)
})

test('validRange returns minimum and maximum of valid pixels in all bands', () => {
  assert.deepEqual(validRange(Float32Array.of(3, NaN, -2, 9, 4, 7), Uint8Array.of(1, 1, 0)), [3, 9])
})
