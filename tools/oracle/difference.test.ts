import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bothValid, differenceOf, masksApart, rangeOf, withoutBorder } from './difference.ts'

test('differences are counted where the mask of a pixel is set, in every band', () => {
  const ours = Float32Array.of(1, 2, NaN, 4, 5, 6, 7, 8)
  const theirs = Float32Array.of(1, 3, NaN, 9, 5, 6, NaN, 8)
  assert.deepEqual(differenceOf(ours, theirs, 1), { compared: 8, unequal: 3, beyond: 2, largest: Infinity })
  const mask = Uint8Array.of(255, 255, 0, 0)
  assert.deepEqual(differenceOf(ours, theirs, 1, mask), { compared: 4, unequal: 1, beyond: 0, largest: 1 })
  assert.equal(differenceOf(ours, theirs.subarray(1), 1).beyond, 7)
})

test('masks differ by pixels, and share those that both have', () => {
  const [ours, theirs] = [Uint8Array.of(0, 1, 255, 0), Uint8Array.of(0, 255, 0, 255)]
  assert.equal(masksApart(ours, theirs), 2)
  assert.deepEqual(bothValid(ours, theirs), Uint8Array.of(0, 255, 0, 0))
})

test('the border of a mask is what lacks a neighbour, and the side of the square', () => {
  const mask = new Uint8Array(25).fill(255)
  assert.equal(withoutBorder(mask, 5).filter(Boolean).length, 9)
  mask[12] = 0
  assert.equal(withoutBorder(mask, 5).filter(Boolean).length, 0)
  assert.deepEqual(rangeOf(Float32Array.of(3, NaN, -2, 9), Uint8Array.of(1, 1, 1, 0)), [-2, 3])
})
