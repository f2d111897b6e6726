import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PixelBlock } from '../types.ts'
import { enlargeBlockPart, stackBlockBands } from './band-tile.ts'

const createBlock = (data: PixelBlock['data'], mask: readonly number[]): PixelBlock => ({
  width: 2,
  height: 2,
  bands: data.length / 4,
  data,
  mask: Uint8Array.from(mask),
})

test('joined bands keep their type, and a pixel is valid where all bands are', () => {
  const first = createBlock(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), [255, 255, 0, 255])
  const second = createBlock(Uint8Array.of(9, 9, 9, 9), [255, 0, 255, 255])
  const joined = stackBlockBands([
    { block: first, band: 1 },
    { block: second, band: 0 },
  ])
  assert.deepEqual(joined.data, Uint8Array.of(5, 6, 7, 8, 9, 9, 9, 9))
  assert.deepEqual([...joined.mask], [255, 0, 0, 255])
})

test('joined bands of different types become floating-point numbers', () => {
  const first = createBlock(Uint8Array.of(1, 2, 3, 4), [255, 255, 255, 255])
  const second = createBlock(Int16Array.of(-1, -2, -3, -4), [255, 255, 255, 255])
  const { data } = stackBlockBands([
    { block: first, band: 0 },
    { block: second, band: 0 },
  ])
  assert.deepEqual(data, Float32Array.of(1, 2, 3, 4, -1, -2, -3, -4))
})

test('a deeper tile is the enlarged part of the one above it', () => {
  const block = createBlock(Uint16Array.of(1, 2, 3, 4), [255, 0, 255, 255])
  const part = (x: number, y: number, depth: number): number[] => [...enlargeBlockPart(block, { x, y, depth }).data]
  assert.deepEqual(part(6, 8, 1), [1, 1, 1, 1])
  assert.deepEqual(part(7, 9, 1), [4, 4, 4, 4])
  assert.deepEqual(part(13, 17, 2), [1, 1, 1, 1])
  assert.deepEqual([...enlargeBlockPart(block, { x: 7, y: 8, depth: 1 }).mask], [0, 0, 0, 0])
})
