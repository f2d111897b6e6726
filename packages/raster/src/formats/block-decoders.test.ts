import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync, zstdCompressSync } from 'node:zlib'
import { RasterFailure } from '../failures.ts'
import type { BlockShape } from './codecs/block-shape.ts'
import { unpackBitSamples, widenHalfFloats } from './codecs/packed.ts'
import { decodeBlock, findCodec } from './block-decoders.ts'

function shapeOf(bytes: number): BlockShape {
  return {
    width: bytes,
    height: 1,
    mostHeight: 1,
    samples: 1,
    bitsPerSample: 8,
    leastBytes: bytes,
    mostBytes: bytes,
    jpegTables: null,
    lercWrapping: 0,
    exact: true,
  }
}

const isDamaged = (error: unknown): boolean => error instanceof RasterFailure && error.kind === 'damaged'

test('a block that holds less than its pixels, or far more, is damaged', () => {
  const text = new TextEncoder().encode('an image of something'.repeat(20))
  for (const [code, packed] of [
    [8, deflateSync(text)],
    [50_000, zstdCompressSync(text)],
  ] as const) {
    assert.deepEqual(new Uint8Array(decodeBlock(findCodec(code), packed, shapeOf(text.length))), text)
    assert.throws(() => decodeBlock(findCodec(code), packed, shapeOf(text.length + 1)), isDamaged)
    assert.throws(() => decodeBlock(findCodec(code), packed, shapeOf(text.length - 1)), isDamaged)
    assert.throws(() => decodeBlock(findCodec(code), packed.subarray(0, 20), shapeOf(text.length)), isDamaged)
  }
})

test('a few bytes that promise gigabytes are refused before memory is allocated', () => {
  const bomb = deflateSync(Buffer.alloc(100_000))
  assert.throws(() => decodeBlock(findCodec(8), bomb, shapeOf(1_000_000_000)), isDamaged)
})

test('LZW codes: the example of the TIFF specification, and codes that cannot be', () => {
  // TIFF 6.0, section 13: 7 7 7 8 8 7 7 6 6 becomes the 9-bit codes 256 7 258 8 8 258 6 6 257.
  const codes = [256, 7, 258, 8, 8, 258, 6, 6, 257]
  const bits = codes
    .map((code) => code.toString(2).padStart(9, '0'))
    .join('')
    .padEnd(88, '0')
  const packed = Uint8Array.from(bits.match(/.{8}/g)!, (byte) => Number.parseInt(byte, 2))
  assert.deepEqual([...decodeBlock(findCodec(5), packed, shapeOf(9))], [7, 7, 7, 8, 8, 7, 7, 6, 6])
  const impossible = Uint8Array.from('1000000001111111110000000'.padEnd(32, '0').match(/.{8}/g)!, (byte) =>
    Number.parseInt(byte, 2),
  )
  assert.throws(() => decodeBlock(findCodec(5), impossible, shapeOf(9)), isDamaged)
})

test('PackBits: the example of the TIFF specification, and runs that are cut off', () => {
  const packed = Uint8Array.from([
    0xfe, 0xaa, 0x02, 0x80, 0x00, 0x2a, 0xfd, 0xaa, 0x03, 0x80, 0x00, 0x2a, 0x22, 0xf7, 0xaa,
  ])
  const text = 'aaaaaa80002aaaaaaaaa80002a22aaaaaaaaaaaaaaaaaaaa'
  assert.equal(Buffer.from(decodeBlock(findCodec(32_773), packed, shapeOf(24))).toString('hex'), text)
  assert.throws(() => decodeBlock(findCodec(32_773), packed.subarray(0, 9), shapeOf(24)), isDamaged)
})

test('a JPEG that claims another size than its block is damaged before it is decoded', () => {
  const frame = [0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0xff, 0xff, 0xff, 0xff, 1, 1, 0x11, 0, 0xff, 0xd9]
  assert.throws(() => decodeBlock(findCodec(7), Uint8Array.from(frame), shapeOf(64)), isDamaged)
  assert.throws(() => decodeBlock(findCodec(7), Uint8Array.from([1, 2, 3]), shapeOf(64)), isDamaged)
})

test('a JPEG of very many scans is damaged before it is decoded', () => {
  const frame = [0xff, 0xd8, 0xff, 0xc2, 0, 11, 8, 0, 64, 0, 64, 1, 1, 0x11, 0]
  const scans = Array.from({ length: 100 }, () => [0xff, 0xda, 0, 8, 1, 1, 0, 1, 1, 0]).flat()
  const bytes = Uint8Array.from([...frame, ...scans, 0xff, 0xd9])
  const shape = { ...shapeOf(4096), width: 64, height: 64, mostHeight: 64 }
  assert.throws(
    () => decodeBlock(findCodec(7), bytes, shape),
    (error) => isDamaged(error) && String(error).includes('100 scans'),
  )
})

test('packed samples begin on a byte in every row', () => {
  const bytes = Uint8Array.from([0b1011_0000, 0b0100_0000])
  assert.deepEqual([...unpackBitSamples(bytes, 1, 3, new Uint8Array(6))], [1, 0, 1, 0, 1, 0])
  const twelve = Uint8Array.from([0xab, 0xcd, 0xef])
  assert.deepEqual([...unpackBitSamples(twelve, 12, 2, new Uint16Array(2))], [0xabc, 0xdef])
})

test('halves: ordinary, tiny, infinite and none', () => {
  const values = widenHalfFloats(Uint16Array.from([0x3c00, 0xc000, 0x0001, 0x7c00, 0xfc00, 0x7e00, 0x3555]))
  assert.deepEqual([...values.subarray(0, 5)], [1, -2, 2 ** -24, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
  assert.ok(Number.isNaN(values[5]!))
  assert.ok(Math.abs(values[6]! - 1 / 3) < 1e-4)
})
