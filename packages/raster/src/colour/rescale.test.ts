import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PixelBlock, Samples } from '../types.ts'
import { parseRescale, rescaleBlock } from './rescale.ts'

function block(data: Samples, bands = 1): PixelBlock {
  const width = data.length / bands
  return { width, height: 1, bands, data, mask: new Uint8Array(width).fill(255) }
}

test('a stretch clamps and cuts fractions off', () => {
  const { data } = rescaleBlock(block(Int16Array.of(-5, 0, 1, 2, 3, 9)), [[0, 3]])
  assert.deepEqual([...data], [0, 0, 85, 170, 255, 255])
  assert.deepEqual([...rescaleBlock(block(Float32Array.of(0.999, NaN, Infinity)), [[0, 1]]).data], [254, 0, 255])
})

test('bytes from 0 to 255 stay what they are', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
  assert.deepEqual(rescaleBlock(block(bytes), [[0, 255]]).data, bytes)
})

test('large integer blocks go through a table with the same result', () => {
  const samples = Uint16Array.from({ length: 65_536 }, (_, i) => i)
  const ranges = [[300, 12_000]] as const
  const whole = rescaleBlock(block(samples), ranges).data
  for (const at of [0, 299, 300, 301, 5000, 11_999, 12_000, 65_535])
    assert.equal(whole[at], rescaleBlock(block(samples.slice(at, at + 1)), ranges).data[0])
})

test('each band has its own stretch, which may run backwards', () => {
  const { data } = rescaleBlock(block(Uint8Array.of(10, 20, 10, 20), 2), [
    [10, 20],
    [20, 10],
  ])
  assert.deepEqual([...data], [0, 255, 255, 0])
})

test('gamma bends the stretch', () => {
  assert.equal(rescaleBlock(block(Uint8Array.of(64)), [[0, 256]], 2).data[0], 127)
})

test('stretches are read from text', () => {
  assert.deepEqual(parseRescale('0,3000'), [[0, 3000]])
  assert.deepEqual(parseRescale('-1, 1;0,2.5e3'), [
    [-1, 1],
    [0, 2500],
  ])
  for (const text of ['', '1', '1,1', '0,x', '0,1,2', '0,1;', 'Infinity,0', '0,1;'.repeat(100)])
    assert.throws(() => parseRescale(text), { kind: 'request' }, text)
  assert.throws(() => rescaleBlock(block(Uint8Array.of(1, 2, 3), 3), parseRescale('0,1;0,1')), { kind: 'request' })
})
