import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sampleTypeProperties } from '../../sample-types.ts'
import type { PixelBlock } from '../../types.ts'
import { listColormapNames, paletteToColormap, parseColormap, parseColormapValue } from './colormap.ts'
import type { Colormap } from './colormap.ts'
import { applyColormap, mapSamplesToColours } from './indexed.ts'

const oracle = JSON.parse(
  readFileSync(new URL('../../../../../fixtures/colormaps/matplotlib.json', import.meta.url), 'utf8'),
) as Record<string, string>

function block(values: number[], mask?: number[]): PixelBlock {
  const count = values.length
  const bytes = mask ? Uint8Array.from(mask) : new Uint8Array(count).fill(255)
  return { width: count, height: 1, bands: 1, data: Float32Array.from(values), mask: bytes }
}

function pixel(image: PixelBlock, at: number): number[] {
  const count = image.width * image.height
  return [0, 1, 2, 3].map((c) => image.data[c * count + at]!)
}

function ramp(text: string): Uint8Array {
  const colormap = parseColormap(text)
  assert.equal(colormap.kind, 'ramp')
  return colormap.kind === 'ramp' ? colormap.entries : new Uint8Array(0)
}

test('every named ramp equals matplotlib to 1 in each channel', () => {
  assert.deepEqual(Object.keys(oracle).sort(), listColormapNames().sort())
  for (const name of listColormapNames()) {
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
  const image = applyColormap(block([-5, 0, 1, 9, NaN], [255, 255, 255, 0, 255]), parseColormap('gray'), [0, 1])
  assert.deepEqual(pixel(image, 0), [0, 0, 0, 255])
  assert.deepEqual(pixel(image, 2), [255, 255, 255, 255])
  assert.deepEqual(pixel(image, 3), [0, 0, 0, 0])
  assert.deepEqual([...image.mask], [255, 255, 255, 0, 255])
})

test('categories colour exactly the listed values', () => {
  const colormap = parseColormap('{"3": "#ff0000", "4": [1, 2, 3], "-1.5": [9, 8, 7, 128]}')
  const image = applyColormap(block([3, 4, 5, -1.5]), colormap)
  assert.deepEqual(
    [0, 1, 2, 3].map((at) => pixel(image, at)),
    [
      [255, 0, 0, 255],
      [1, 2, 3, 255],
      [0, 0, 0, 0],
      [9, 8, 7, 128],
    ],
  )
  assert.deepEqual([...image.mask], [255, 255, 0, 255])
})

test('intervals include their low end and exclude their high end', () => {
  const image = applyColormap(block([0, 9.99, 10, 20]), parseColormap('[[[0,10],"#010203"],[[10,20],[4,5,6,7]]]'))
  assert.deepEqual(pixel(image, 1), [1, 2, 3, 255])
  assert.deepEqual(pixel(image, 2), [4, 5, 6, 7])
  assert.deepEqual(pixel(image, 3), [0, 0, 0, 0])
})

const typeNames = ['uint8', 'int8', 'uint16', 'int16', 'uint32', 'int32', 'float32', 'float64'] as const

/** The rules in the plainest words: the first interval that holds the value, the category that equals it. */
function colourOf(colormap: Colormap, value: number, rounded: (value: number) => number): readonly number[] {
  if (colormap.kind === 'intervals')
    return colormap.steps.find(([low, high]) => value >= rounded(low) && value < rounded(high))?.[2] ?? [0, 0, 0, 0]
  if (colormap.kind === 'ramp') throw new Error('a ramp has no rule of its own')
  return [...colormap.colours].find(([at]) => rounded(at) === value)?.[1] ?? [0, 0, 0, 0]
}

test('overlapping intervals and categories give every sample of every type the colour that the rule says', () => {
  const colormaps = [
    '[[[10,20],"#010101"],[[-5.5,15],"#020202"],[[15,100.5],"#03030380"],[[60000,1e9],"#040404"],[[-4e4,-100],"#050505"]]',
    '[[[0.1,0.3],"#010101"],[[0.3,0.7],"#020202"]]',
    '{"0.1":"#010101","3":"#020202","-7":"#030303","70000":"#040404","255":"#050505","65535":"#060606","-1":"#070707"}',
  ].map(parseColormap)
  const values = [0.1, 0.3, 0.7, 3, -7, 70_000, 255, 65_535, -1, 0, 10, 14, 15, 20, 100, 101, -5.5, -6, -100, -101]
  for (const type of typeNames) {
    const samples = sampleTypeProperties[type].allocate(values.length)
    samples.set(values)
    const rounded = type === 'float32' ? Math.fround : (value: number): number => value
    for (const colormap of colormaps) {
      const { indices, palette } = mapSamplesToColours(samples, colormap, [0, 255])
      for (const [i, value] of samples.entries()) {
        const entry = indices[i]! * 4
        assert.deepEqual(
          [...palette.subarray(entry, entry + 4)],
          colourOf(colormap, value, rounded),
          `${type} ${value}`,
        )
      }
    }
  }
})

test('more than 255 colours are counted in two bytes', () => {
  const colours = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [i, [i & 255, i >> 8, 7]]))
  const colormap = parseColormapValue(colours)
  const { indices, palette } = mapSamplesToColours(Uint16Array.of(999, 1000, 0), colormap, [0, 255])
  assert.ok(indices instanceof Uint16Array)
  assert.deepEqual([...palette.subarray(indices[0]! * 4, indices[0]! * 4 + 4)], [231, 3, 7, 255])
  assert.deepEqual([indices[1], palette.length], [0, 4004])
})

test('a list of colours is a ramp', () => {
  const entries = ramp('["#000000", "#ff000080"]')
  assert.deepEqual([...entries.subarray(0, 4)], [0, 0, 0, 255])
  assert.deepEqual([...entries.subarray(1020)], [255, 0, 0, 128])
})

test('a palette colours its indices', () => {
  const image = applyColormap(block([1, 2]), paletteToColormap(Uint8Array.of(0, 0, 0, 10, 20, 30)))
  assert.deepEqual(pixel(image, 0), [10, 20, 30, 255])
  assert.deepEqual(pixel(image, 1), [0, 0, 0, 0])
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
