import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPng } from '../../../test/read-png.ts'
import { parseColormap, parseColormapValue } from './colormap.ts'
import { applyColormap } from './indexed.ts'
import { rescaleBlock } from './rescale.ts'
import type { RescaleRange } from './stretch.ts'
import { decodeTerrainHeight } from './terrain.ts'
import { encodeRenderedImage } from '../encode/image.ts'
import type { RenderedImage } from '../encode/rendered-image.ts'
import { evaluateExpression } from '../../compute/expression/evaluate.ts'
import { parseExpression } from '../../compute/expression/expression.ts'
import { sampleTypeProperties } from '../../sample-types.ts'
import type { PixelBlock, SampleType } from '../../types.ts'
import type { RasterStyle } from './render-style.ts'
import { applyStyle } from './apply-style.ts'

const typeNames = Object.keys(sampleTypeProperties) as SampleType[]
const [width, height] = [90, 70]
const count = width * height

function makeBlock(type: SampleType, bands: number, withHoles: boolean): PixelBlock {
  const data = sampleTypeProperties[type].allocate(count * bands)
  for (let i = 0; i < data.length; i++) data[i] = (i * 37 + (i >> 5)) % 251
  if (type.startsWith('float')) for (let i = 0; i < data.length; i++) data[i]! /= 7.3
  const mask = Uint8Array.from({ length: count }, (_, i) => (withHoles && i % 11 < 3 ? 0 : 255))
  return { width, height, bands, data, mask }
}

const pixelsOf = (image: RenderedImage): Uint8Array => readPng(encodeRenderedImage(image, 'png')).rgba

/** Planar bytes of one, three or four bands as RGBA, holes without colour. */
function rgbaOf({ bands, data, mask }: PixelBlock): Uint8Array {
  return Uint8Array.from({ length: count * 4 }, (_, i) => {
    const [pixel, channel] = [i >> 2, i & 3]
    if (mask[pixel] === 0) return 0
    if (channel === 3) return bands === 4 ? data[3 * count + pixel]! : 255
    return data[(bands === 1 ? 0 : channel) * count + pixel]!
  })
}

function assertPixels(image: RenderedImage, expected: PixelBlock, label: string): void {
  assert.ok(Buffer.from(pixelsOf(image)).equals(Buffer.from(rgbaOf(expected))), label)
}

test('bands are stretched into gray and colour, with holes and without, whatever the sample type', () => {
  const ranges: RescaleRange[] = [
    [10, 200],
    [0, 100],
    [150, 20],
  ]
  for (const type of typeNames)
    for (const withHoles of [false, true]) {
      const block = makeBlock(type, 4, withHoles)
      const picked = (places: readonly number[]): PixelBlock => ({
        ...block,
        bands: places.length,
        data: sampleTypeProperties[type].allocate(count * places.length),
      })
      for (const places of [[3, 0, 2], [1]]) {
        const wanted = picked(places)
        places.forEach((place, i) =>
          wanted.data.set(block.data.subarray(place * count, (place + 1) * count), i * count),
        )
        const own = ranges.slice(0, places.length)
        const image = applyStyle(block, { kind: 'bands', bandIndexes: places, ranges: own, gamma: 1.4 })
        assert.equal(image.kind, places.length === 3 ? (withHoles ? 'rgba' : 'rgb') : withHoles ? 'gray-alpha' : 'gray')
        assertPixels(image, rescaleBlock(wanted, own, { gamma: 1.4 }), `${type} ${places}`)
      }
    }
})

test('bytes without a stretch stay what they are', () => {
  const block = makeBlock('uint8', 3, false)
  assertPixels(applyStyle(block, { kind: 'bands' }), block, 'bytes')
})

test('colormaps give palette images of the same colours', () => {
  const colormaps = [
    parseColormap('viridis_r'),
    parseColormap('["#ff0000", "#00ff0080", "#0000ff00"]'),
    parseColormapValue({ 3: '#ff0000', 10: '#00ff0077', 17: '#0000ff00' }),
    parseColormap('[[[0,5],"#ff0000"],[[5,9.5],"#00ff0077"],[[30,40],"#ffffff"]]'),
  ]
  for (const type of typeNames)
    for (const withHoles of [false, true])
      for (const [i, colormap] of colormaps.entries()) {
        const block = makeBlock(type, 2, withHoles)
        const second = { ...block, bands: 1, data: block.data.subarray(count) }
        const range = [3, 30] as const
        const image = applyStyle(block, { kind: 'bands', bandIndexes: [1], ranges: [range], colormap })
        assert.equal(image.kind, 'palette')
        assertPixels(image, applyColormap(second, colormap, range), `${type} ${i} ${withHoles}`)
      }
})

test('few colours share bytes, and more than a palette holds become RGBA', () => {
  const block = makeBlock('uint16', 1, true)
  const few = applyStyle(block, {
    kind: 'bands',
    colormap: parseColormap('[[[0,100],"#ff0000"],[[100,300],"#00ff00"]]'),
  })
  assert.deepEqual([few.palette!.length / 4, readPng(encodeRenderedImage(few, 'png')).bits], [3, 2])
  const every: PixelBlock = { ...block, data: Uint16Array.from({ length: count }, (_, i) => i % 256) }
  const ramp = { kind: 'bands', colormap: parseColormap('turbo') } as const
  assert.equal(applyStyle({ ...every, mask: new Uint8Array(count).fill(255) }, ramp).palette!.length, 1024)
  const full = applyStyle(every, ramp)
  assert.equal(full.kind, 'rgba')
  assertPixels(full, applyColormap(every, ramp.colormap), '256 colours and holes')
  const many: PixelBlock = { ...block, data: Uint16Array.from({ length: count }, (_, i) => i % 700) }
  const colours = parseColormapValue(
    Object.fromEntries(Array.from({ length: 700 }, (_, i) => [i, [i & 255, i >> 8, 9]])),
  )
  assertPixels(applyStyle(many, { kind: 'bands', colormap: colours }), applyColormap(many, colours), '700 colours')
  const some: PixelBlock = { ...block, data: Uint16Array.from({ length: count }, (_, i) => 300 + (i % 200)) }
  const image = applyStyle(some, { kind: 'bands', colormap: colours })
  assert.deepEqual([image.kind, image.palette!.length / 4], ['palette', 201])
  assertPixels(image, applyColormap(some, colours), '200 of 700 colours')
})

test('a tile without any valid pixel is one transparent colour', () => {
  const block = { ...makeBlock('float32', 1, false), mask: new Uint8Array(count) }
  const image = applyStyle(block, { kind: 'bands', colormap: parseColormap('viridis') })
  assert.deepEqual([...image.palette!], [0, 0, 0, 0])
  assert.ok(pixelsOf(image).every((byte) => byte === 0))
})

test('formulas are rendered as gray and through colormaps, and what they leave out is transparent', () => {
  const expression = parseExpression('where(nir > 100, (nir - red) / (nir + red), 1 / 0)')
  const places = { nir: 2, red: 0 }
  for (const type of ['uint8', 'uint16', 'float32'] as const) {
    const block = makeBlock(type, 3, true)
    for (let i = 0; i < block.data.length; i++) block.data[i]! *= type === 'float32' ? 7 : 1
    const values = evaluateExpression(expression, block, places)
    const ranges = [[-0.5, 0.8]] as const
    const colormap = parseColormap('RdYlGn')
    assertPixels(
      applyStyle(block, { kind: 'expression', expression, bandIndexByName: places, ranges }),
      rescaleBlock(values, ranges),
      type,
    )
    assertPixels(
      applyStyle(block, { kind: 'expression', expression, bandIndexByName: places, ranges, colormap }),
      applyColormap(values, colormap, ranges[0]),
      type,
    )
  }
})

test('terrain is transparent where there is no height', () => {
  const block = makeBlock('float32', 2, true)
  const rgba = pixelsOf(applyStyle(block, { kind: 'terrain', bandIndex: 1, terrain: { encoding: 'terrarium' } }))
  for (let i = 0; i < count; i++) {
    const [red, green, blue, alpha] = rgba.subarray(i * 4)
    assert.equal(alpha, block.mask[i])
    const found = decodeTerrainHeight('terrarium', red!, green!, blue!)
    assert.ok(Math.abs(found - (alpha === 0 ? -32_768 : block.data[count + i]!)) <= 1 / 512)
  }
  const filled = applyStyle(block, { kind: 'terrain', bandIndex: 1, terrain: { encoding: 'terrarium', missing: 0 } })
  assert.equal(filled.kind, 'rgb')
  for (let i = 0; i < count; i++) {
    const expected = block.mask[i] === 0 ? [128, 0, 0] : [...rgba.subarray(i * 4, i * 4 + 3)]
    assert.deepEqual([...filled.data.subarray(i * 3, i * 3 + 3)], expected)
  }
  const whole = applyStyle(makeBlock('int16', 1, false), { kind: 'terrain', terrain: { encoding: 'mapbox' } })
  assert.equal(whole.kind, 'rgb')
})

test('a look can be sent to another thread', () => {
  const block = makeBlock('uint16', 3, true)
  const looks: RasterStyle[] = [
    { kind: 'bands', ranges: [[0, 250]], gamma: 1.1 },
    {
      kind: 'expression',
      expression: parseExpression('b1 / b2'),
      bandIndexByName: new Map(),
      colormap: parseColormap('{"1":"#ffffff"}'),
    },
    { kind: 'terrain', terrain: { encoding: 'mapbox' } },
  ]
  for (const look of looks) assert.deepEqual(applyStyle(block, structuredClone(look)), applyStyle(block, look))
})

test('looks that do not fit the block are refused by name', () => {
  const block = makeBlock('uint8', 2, false)
  const refused: RasterStyle[] = [
    { kind: 'bands' },
    { kind: 'bands', bandIndexes: [] },
    { kind: 'bands', bandIndexes: [2] },
    { kind: 'bands', bandIndexes: [0, 1, 0.5] },
    { kind: 'bands', bandIndexes: [0], ranges: [[1, 1]] },
    { kind: 'bands', bandIndexes: [0], ranges: [] },
    { kind: 'bands', bandIndexes: [0], gamma: 0 },
    { kind: 'bands', bandIndexes: [0, 1, 0], colormap: parseColormap('viridis') },
    { kind: 'terrain', bandIndex: 5, terrain: { encoding: 'mapbox' } },
  ]
  for (const look of refused)
    assert.throws(() => applyStyle(block, look), { name: 'RasterFailure', kind: 'request' }, JSON.stringify(look))
  assert.throws(
    () => applyStyle(block, { kind: 'expression', expression: parseExpression('b3'), bandIndexByName: {} }),
    {
      kind: 'expression',
    },
  )
})
