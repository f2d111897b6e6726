import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { PixelBlock } from '../types.ts'
import { applyColormap, colormapNames, colormapOfPalette, parseColormap } from './colormap.ts'

const oracle = JSON.parse(
  readFileSync(new URL('../../../../fixtures/colormaps/matplotlib.json', import.meta.url), 'utf8'),
) as Record<string, string>

function block(values: number[], mask?: number[]): PixelBlock {
  const count = values.length
  const bytes = mask ? Uint8Array.from(mask) : new Uint8Array(count).fill(255)
  return { width: count, height: 1, bands: 1, data: Float32Array.from(values), mask: bytes }
}

function pixel(picture: PixelBlock, at: number): number[] {
  const count = picture.width * picture.height
  return [0, 1, 2, 3].map((c) => picture.data[c * count + at]!)
}

function ramp(text: string): Uint8Array {
  const colormap = parseColormap(text)
  assert.equal(colormap.kind, 'ramp')
  return colormap.kind === 'ramp' ? colormap.entries : new Uint8Array(0)
}

test('every named ramp equals matplotlib to 1 in each channel', () => {
  assert.deepEqual(Object.keys(oracle).sort(), colormapNames().sort())
  for (const name of colormapNames()) {
    const expected = Buffer.from(oracle[name]!, 'base64')
    const entries = ramp(name)
    for (let i = 0; i < 256; i++) {
      for (let c = 0; c < 3; c++)
        assert.ok(Math.abs(entries[i * 4 + c]! - expected[i * 3 + c]!) <= 1, `${name} entry ${i} channel ${c}`)
      assert.equal(entries[i * 4 + 3], 255)
    }
  }
})

test('names ignore case, have aliases and turn around with _r', () => {
  assert.deepEqual(ramp('rdylgn'), ramp('RdYlGn'))
  assert.deepEqual(ramp('grey'), ramp('gray'))
  assert.deepEqual([...ramp('viridis_r').subarray(0, 4)], [...ramp('viridis').subarray(1020)])
  assert.throws(() => parseColormap('viridia'), { kind: 'request', message: /viridia/ })
})

test('a ramp colours a stretch of values and leaves masked pixels transparent', () => {
  const picture = applyColormap(block([-5, 0, 1, 9, NaN], [255, 255, 255, 0, 255]), parseColormap('gray'), [0, 1])
  assert.deepEqual(pixel(picture, 0), [0, 0, 0, 255])
  assert.deepEqual(pixel(picture, 2), [255, 255, 255, 255])
  assert.deepEqual(pixel(picture, 3), [0, 0, 0, 0])
  assert.deepEqual([...picture.mask], [255, 255, 255, 0, 255])
})

test('categories colour exactly the listed values', () => {
  const colormap = parseColormap('{"3": "#ff0000", "4": [1, 2, 3], "-1.5": [9, 8, 7, 128]}')
  const picture = applyColormap(block([3, 4, 5, -1.5]), colormap)
  assert.deepEqual(
    [0, 1, 2, 3].map((at) => pixel(picture, at)),
    [
      [255, 0, 0, 255],
      [1, 2, 3, 255],
      [0, 0, 0, 0],
      [9, 8, 7, 128],
    ],
  )
  assert.deepEqual([...picture.mask], [255, 255, 0, 255])
})

test('intervals include their low end and exclude their high end', () => {
  const picture = applyColormap(block([0, 9.99, 10, 20]), parseColormap('[[[0,10],"#010203"],[[10,20],[4,5,6,7]]]'))
  assert.deepEqual(pixel(picture, 1), [1, 2, 3, 255])
  assert.deepEqual(pixel(picture, 2), [4, 5, 6, 7])
  assert.deepEqual(pixel(picture, 3), [0, 0, 0, 0])
})

test('a list of colours is a ramp', () => {
  const entries = ramp('["#000000", "#ff000080"]')
  assert.deepEqual([...entries.subarray(0, 4)], [0, 0, 0, 255])
  assert.deepEqual([...entries.subarray(1020)], [255, 0, 0, 128])
})

test('a palette colours its indices', () => {
  const picture = applyColormap(block([1, 2]), colormapOfPalette(Uint8Array.of(0, 0, 0, 10, 20, 30)))
  assert.deepEqual(pixel(picture, 0), [10, 20, 30, 255])
  assert.deepEqual(pixel(picture, 1), [0, 0, 0, 0])
})

test('what is no colormap is refused by name', () => {
  const bad = [
    '{',
    '[]',
    '{}',
    '[1,2]',
    '{"a":"#000000"}',
    '{"1":"red"}',
    '[[[2,1],"#000000"]]',
    '["#000000"]',
    '[[[0,1]]]',
  ]
  for (const text of [...bad, `[${'"#000000",'.repeat(2000)}"#000000"]`, '"'.repeat(40_000)])
    assert.throws(() => parseColormap(text), { name: 'RasterFailure', kind: 'request' }, text.slice(0, 30))
})
