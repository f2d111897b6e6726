import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { readPng } from '../../../test/read-png.ts'
import type { BlockShape } from '../../formats/codecs/block-shape.ts'
import { decodeWebp } from '../../formats/codecs/webp.ts'
import type { PixelBlock } from '../../types.ts'
import { encodePixelBlockAsImage, encodeRenderedImage } from './image.ts'
import type { RenderedImage } from './rendered-image.ts'
import { encodePng } from './png.ts'

const turbo = createRequire(import.meta.url)('@julusian/jpeg-turbo') as typeof import('@julusian/jpeg-turbo')
const size = 64

function gradient(bands: number): PixelBlock {
  const count = size * size
  const data = new Uint8Array(count * bands)
  for (let i = 0; i < data.length; i++) data[i] = ((i % size) * 3 + Math.floor(i / count) * 40) & 255
  return { width: size, height: size, bands, data, mask: new Uint8Array(count).fill(255) }
}

test('an opaque colour block becomes an RGB PNG with the same samples', () => {
  const block = gradient(3)
  const { colourType, samples: pixels } = readPng(encodePixelBlockAsImage(block, null, 'png'))
  assert.equal(colourType, 2)
  for (let i = 0; i < size * size; i++)
    for (let c = 0; c < 3; c++) assert.equal(pixels[i * 3 + c], block.data[c * size * size + i])
})

test('masked pixels are transparent and carry no colour', () => {
  const block = gradient(1)
  block.mask[5] = 0
  const { colourType, samples: pixels } = readPng(encodePixelBlockAsImage(block, null, 'png'))
  assert.equal(colourType, 4)
  assert.deepEqual([...pixels.subarray(8, 14)], [12, 255, 0, 0, 18, 255])
})

test('a fourth band is alpha in PNG', () => {
  const { colourType, samples: pixels } = readPng(encodePixelBlockAsImage(gradient(4), null, 'png'))
  assert.equal(colourType, 6)
  assert.deepEqual([...pixels.subarray(4, 8)], [3, 43, 83, 123])
})

test('a palette PNG keeps indices, colours and transparency', () => {
  const palette = Uint8Array.of(1, 2, 3, 0, 10, 20, 30, 255)
  const data = new Uint8Array(size * size).map((_, i) => i & 1)
  const bytes = encodePng({ width: size, height: size, kind: 'palette', data, palette })
  const { chunks, samples, bits, rgba } = readPng(bytes)
  assert.deepEqual(chunks, ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])
  assert.ok(Buffer.from(samples).equals(data))
  assert.equal(bits, 1)
  assert.deepEqual([...rgba.subarray(0, 8)], [1, 2, 3, 0, 10, 20, 30, 255])
  const at = Buffer.from(bytes).indexOf('tRNS')
  assert.deepEqual([...bytes.subarray(at - 4, at + 5)].slice(0, 4), [0, 0, 0, 1])
})

test('palettes of any size and rows of any length come back', () => {
  for (const entries of [1, 2, 3, 4, 5, 16, 17, 255, 256]) {
    for (const [width, height] of [
      [1, 1],
      [13, 7],
      [67, 3],
    ] as const) {
      const data = Uint8Array.from({ length: width * height }, (_, i) => (i * 7) % entries)
      const palette = Uint8Array.from({ length: entries * 4 }, (_, i) => i * 11)
      const bytes = encodePng({ width, height, kind: 'palette', data, palette })
      assert.ok(Buffer.from(readPng(bytes).samples).equals(data), `${entries} colours, ${width}×${height}`)
    }
  }
  for (const [kind, channels] of Object.entries({ gray: 1, 'gray-alpha': 2, rgb: 3, rgba: 4 }) as [
    RenderedImage['kind'],
    number,
  ][]) {
    const image = {
      width: 31,
      height: 9,
      kind,
      data: Uint8Array.from({ length: 31 * 9 * channels }, (_, i) => i * i),
    }
    const bytes = encodePng(image)
    assert.deepEqual(readPng(bytes).samples, image.data, kind)
  }
})

test('what is transparent is white in a JPEG, and half of it half', () => {
  const colours = Uint8Array.of(0, 0, 0, 0, 200, 0, 0, 255, 0, 0, 0, 128, 9, 9, 9, 255)
  const count = size * size
  const indices = Uint8Array.from({ length: count }, (_, i) => (i % size) >> 4)
  const rgba = Uint8Array.from({ length: count * 4 }, (_, i) => colours[indices[i >> 2]! * 4 + (i & 3)]!)
  const images: RenderedImage[] = [
    { width: size, height: size, kind: 'palette', data: indices, palette: colours },
    { width: size, height: size, kind: 'rgba', data: rgba },
  ]
  for (const image of images) {
    const { data } = turbo.decompressSync(Buffer.from(encodeRenderedImage(image, 'jpeg', 95)), {
      format: turbo.FORMAT_RGB,
    })
    const near = (x: number, wanted: number[]): void =>
      wanted.forEach((value, c) => assert.ok(Math.abs(data[(10 * size + x) * 3 + c]! - value) <= 4, `${x} ${value}`))
    near(5, [255, 255, 255])
    near(22, [200, 0, 0])
    near(38, [127, 127, 127])
    near(60, [9, 9, 9])
  }
  const gray = Uint8Array.from({ length: count * 2 }, (_, i) => (i & 1 ? (i % 128 < 64 ? 0 : 255) : 50))
  const { data } = turbo.decompressSync(
    Buffer.from(encodeRenderedImage({ width: size, height: size, kind: 'gray-alpha', data: gray }, 'jpeg')),
    { format: turbo.FORMAT_GRAY },
  )
  assert.ok(data[5]! > 250 && Math.abs(data[60]! - 50) < 4)
})

test('encoded bytes have a memory of their own, so that they can go to another thread', () => {
  for (const format of ['png', 'jpeg', 'webp'] as const) {
    const bytes = encodePixelBlockAsImage(gradient(3), null, format)
    assert.equal(bytes.buffer.byteLength, bytes.length, format)
    assert.equal(structuredClone(bytes, { transfer: [bytes.buffer as ArrayBuffer] }).length > 100, true)
  }
})

test('a JPEG decodes to nearly the same samples', () => {
  const block = gradient(3)
  const { data, width } = turbo.decompressSync(Buffer.from(encodePixelBlockAsImage(block, null, 'jpeg', 95)), {
    format: turbo.FORMAT_RGB,
  })
  assert.equal(width, size)
  let worst = 0
  for (let i = 0; i < size * size; i++)
    worst = Math.max(worst, Math.abs(data[i * 3 + 1]! - block.data[size * size + i]!))
  assert.ok(worst < 60, `worst difference ${worst}`)
})

test('a WebP decodes to nearly the same colours and exactly the same alpha', async () => {
  const count = size * size
  const smooth = Uint8Array.from({ length: count * 3 }, (_, i) => 40 + (i % size) * 2 + Math.floor(i / count) * 30)
  const mask = Uint8Array.from({ length: count }, (_, i) => (i % size < 20 ? 0 : 255))
  const block: PixelBlock = { width: size, height: size, bands: 3, data: smooth, mask }
  const shape: BlockShape = {
    width: size,
    height: size,
    mostHeight: size,
    samples: 4,
    bitsPerSample: 8,
    leastBytes: 0,
    mostBytes: count * 4,
    jpegTables: null,
    lercWrapping: 0,
    exact: true,
  }
  const data = decodeWebp(encodePixelBlockAsImage(block, null, 'webp', 90), shape)
  for (let i = 0; i < count; i++) {
    assert.equal(data[i * 4 + 3], mask[i])
    if (i % size < 24) continue
    for (let c = 0; c < 3; c++) assert.ok(Math.abs(data[i * 4 + c]! - smooth[c * count + i]!) <= 12)
  }
})

test('WebP is a RIFF container whose size field fits', () => {
  const bytes = Buffer.from(encodePixelBlockAsImage(gradient(3), null, 'webp', 80))
  assert.equal(bytes.toString('latin1', 0, 4), 'RIFF')
  assert.equal(bytes.toString('latin1', 8, 12), 'WEBP')
  assert.equal(bytes.readUInt32LE(4) + 8, bytes.length)
})

test('the same image gives the same bytes', () => {
  for (const format of ['png', 'jpeg', 'webp'] as const)
    assert.deepEqual(
      encodePixelBlockAsImage(gradient(3), null, format),
      encodePixelBlockAsImage(gradient(3), null, format),
    )
})

test('blocks that are not images are refused by name', () => {
  const wide = { ...gradient(1), data: new Uint16Array(size * size) }
  assert.throws(() => encodePixelBlockAsImage(wide, null, 'png'), { name: 'RasterFailure', kind: 'request' })
  assert.throws(() => encodePixelBlockAsImage(gradient(5), null, 'png'), { kind: 'request' })
  assert.throws(() => encodePixelBlockAsImage(gradient(3), null, 'jpeg', 0), { kind: 'request' })
  assert.throws(
    () => encodePng({ width: 1, height: 1, kind: 'palette', data: Uint8Array.of(7), palette: new Uint8Array(8) }),
    { kind: 'request' },
  )
})
