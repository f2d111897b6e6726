import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import type { PixelBlock } from '../types.ts'
import { encodeImage } from './image.ts'
import { encodePng } from './png.ts'

const turbo = createRequire(import.meta.url)('@julusian/jpeg-turbo') as typeof import('@julusian/jpeg-turbo')
const size = 64

function gradient(bands: number): PixelBlock {
  const count = size * size
  const data = new Uint8Array(count * bands)
  for (let i = 0; i < data.length; i++) data[i] = ((i % size) * 3 + Math.floor(i / count) * 40) & 255
  return { width: size, height: size, bands, data, mask: new Uint8Array(count).fill(255) }
}

/** Undoes the PNG filters None, Sub and Up: enough to read back what this package writes. */
function readPng(bytes: Uint8Array): { type: number; channels: number; pixels: Uint8Array; chunks: string[] } {
  const buffer = Buffer.from(bytes)
  const chunks: string[] = []
  const packed: Buffer[] = []
  for (let at = 8; at < buffer.length;) {
    const length = buffer.readUInt32BE(at)
    const name = buffer.toString('latin1', at + 4, at + 8)
    chunks.push(name)
    if (name === 'IDAT') packed.push(buffer.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  const type = buffer[25]!
  const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[type]!
  const width = buffer.readUInt32BE(16)
  const height = buffer.readUInt32BE(20)
  const raw = inflateSync(Buffer.concat(packed))
  const stride = width * channels
  const pixels = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)]!
    for (let i = 0; i < stride; i++) {
      const before = filter === 1 ? (i < channels ? 0 : pixels[y * stride + i - channels]!) : 0
      const above = filter === 2 ? pixels[(y - 1) * stride + i]! : 0
      pixels[y * stride + i] = raw[y * (stride + 1) + 1 + i]! + before + above
    }
  }
  return { type, channels, pixels, chunks }
}

test('an opaque colour block becomes an RGB PNG with the same samples', () => {
  const block = gradient(3)
  const { type, pixels } = readPng(encodeImage(block, null, 'png'))
  assert.equal(type, 2)
  for (let i = 0; i < size * size; i++)
    for (let c = 0; c < 3; c++) assert.equal(pixels[i * 3 + c], block.data[c * size * size + i])
})

test('masked pixels are transparent and carry no colour', () => {
  const block = gradient(1)
  block.mask[5] = 0
  const { type, pixels } = readPng(encodeImage(block, null, 'png'))
  assert.equal(type, 4)
  assert.deepEqual([...pixels.subarray(8, 14)], [12, 255, 0, 0, 18, 255])
})

test('a fourth band is alpha in PNG', () => {
  const { type, pixels } = readPng(encodeImage(gradient(4), null, 'png'))
  assert.equal(type, 6)
  assert.deepEqual([...pixels.subarray(4, 8)], [3, 43, 83, 123])
})

test('a palette PNG keeps indices, colours and transparency', () => {
  const palette = Uint8Array.of(1, 2, 3, 0, 10, 20, 30, 255)
  const data = new Uint8Array(size * size).map((_, i) => i & 1)
  const bytes = encodePng({ width: size, height: size, kind: 'palette', data, palette })
  const { chunks, pixels } = readPng(bytes)
  assert.deepEqual(chunks, ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])
  assert.deepEqual(pixels, data)
  const at = Buffer.from(bytes).indexOf('tRNS')
  assert.deepEqual([...bytes.subarray(at - 4, at + 5)].slice(0, 4), [0, 0, 0, 1])
})

test('a JPEG decodes to nearly the same samples', () => {
  const block = gradient(3)
  const { data, width } = turbo.decompressSync(Buffer.from(encodeImage(block, null, 'jpeg', 95)), {
    format: turbo.FORMAT_RGB,
  })
  assert.equal(width, size)
  let worst = 0
  for (let i = 0; i < size * size; i++)
    worst = Math.max(worst, Math.abs(data[i * 3 + 1]! - block.data[size * size + i]!))
  assert.ok(worst < 60, `worst difference ${worst}`)
})

test('WebP is a RIFF container whose size field fits', () => {
  const bytes = Buffer.from(encodeImage(gradient(3), null, 'webp', 80))
  assert.equal(bytes.toString('latin1', 0, 4), 'RIFF')
  assert.equal(bytes.toString('latin1', 8, 12), 'WEBP')
  assert.equal(bytes.readUInt32LE(4) + 8, bytes.length)
})

test('the same picture gives the same bytes', () => {
  for (const format of ['png', 'jpeg', 'webp'] as const)
    assert.deepEqual(encodeImage(gradient(3), null, format), encodeImage(gradient(3), null, format))
})

test('blocks that are not pictures are refused by name', () => {
  const wide = { ...gradient(1), data: new Uint16Array(size * size) }
  assert.throws(() => encodeImage(wide, null, 'png'), { name: 'RasterFailure', kind: 'request' })
  assert.throws(() => encodeImage(gradient(5), null, 'png'), { kind: 'request' })
  assert.throws(() => encodeImage(gradient(3), null, 'jpeg', 0), { kind: 'request' })
  assert.throws(
    () => encodePng({ width: 1, height: 1, kind: 'palette', data: Uint8Array.of(7), palette: new Uint8Array(8) }),
    { kind: 'request' },
  )
})
