import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { RasterFailure } from '../../failures.ts'
import { encodeRenderedImage, type ImageFormat } from '../../render/encode/image.ts'
import type { RenderedImage } from '../../render/encode/rendered-image.ts'
import { decodeImage } from './decode-image.ts'

const [width, height] = [37, 23]
const count = width * height
const max_pixels = 10_000

/** A smooth image, which compression changes little; the left edge of one with alpha is transparent. */
function createImage(kind: RenderedImage['kind'], channels: number): RenderedImage {
  const data = Uint8Array.from({ length: count * channels }, (_, at) => {
    const [pixel, channel] = [Math.floor(at / channels), at % channels]
    const isAlpha = channels % 2 === 0 && channel === channels - 1
    return isAlpha ? (pixel % width < 5 ? 0 : 255) : 40 + 3 * (pixel % width) + 20 * channel + Math.floor(pixel / width)
  })
  return { kind, width, height, data } as RenderedImage
}

const hasKind =
  (...kinds: readonly string[]) =>
  (error: unknown): boolean =>
    error instanceof RasterFailure && kinds.includes(error.kind)

const cases: readonly (readonly [ImageFormat, RenderedImage['kind'], number, number])[] = [
  ['png', 'gray', 1, 0],
  ['png', 'gray-alpha', 2, 0],
  ['png', 'rgb', 3, 0],
  ['png', 'rgba', 4, 0],
  ['jpeg', 'gray', 1, 6],
  ['jpeg', 'rgb', 3, 6],
  ['webp', 'rgba', 4, 12],
]

for (const [format, kind, channels, tolerance] of cases)
  test(`a ${format} of ${kind} becomes red, green and blue with a mask`, async () => {
    const image = createImage(kind, channels)
    const bytes = encodeRenderedImage(image, format, 95)
    const block = await decodeImage({ bytes, max_pixels })
    assert.deepEqual([block.width, block.height, block.bands, block.data.length], [width, height, 3, count * 3])
    for (let pixel = 0; pixel < count; pixel += 1) {
      const isOpaque = channels % 2 === 1 || pixel % width >= 5
      assert.equal(block.mask[pixel], isOpaque ? 255 : 0)
      // Beside the transparent part, lossy compression mixes it in.
      if (!isOpaque || (tolerance > 0 && channels === 4 && pixel % width < 22)) continue
      for (let band = 0; band < 3; band += 1) {
        const expected = image.data[pixel * channels + (channels >= 3 ? band : 0)]!
        const actual = block.data[band * count + pixel]!
        assert.ok(Math.abs(actual - expected) <= tolerance, `pixel ${pixel}: ${actual}, not ${expected}`)
      }
    }
  })

const chunk = (name: string, body: Uint8Array): Buffer => {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(body.length, 0)
  frame.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)])
}

interface MadePng {
  readonly size: readonly [width: number, height: number]
  readonly bits: number
  readonly colourType: number
  readonly rows: Uint8Array
  readonly extra?: readonly Buffer[]
  readonly interlace?: number
}

/** A PNG with the header fields of its options, whether they are true or not. */
function createPng({ size, bits, colourType, rows, extra = [], interlace = 0 }: MadePng): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size[0], 0)
  header.writeUInt32BE(size[1], 4)
  header.set([bits, colourType, 0, 0, interlace], 8)
  const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
  const data = chunk('IDAT', deflateSync(rows))
  return Buffer.concat([signature, chunk('IHDR', header), ...extra, data, chunk('IEND', Buffer.alloc(0))])
}

test('each filter of a PNG is undone', async () => {
  // Rows of three gray pixels, each made from 10 20 30 by hand: none, left, above, average, Paeth.
  const rows = Uint8Array.of(0, 10, 20, 30, 1, 10, 10, 10, 2, 0, 0, 0, 3, 5, 5, 5, 4, 0, 0, 0)
  const { data } = await decodeImage({
    bytes: createPng({ size: [3, 5], bits: 8, colourType: 0, rows }),
    max_pixels,
  })
  assert.deepEqual([...data.subarray(0, 15)], [10, 20, 30, 10, 20, 30, 10, 20, 30, 10, 20, 30, 10, 20, 30])
})

test('palettes with transparent entries, packed samples and samples of 16 bits', async () => {
  const palette = [chunk('PLTE', Buffer.of(1, 2, 3, 250, 251, 252)), chunk('tRNS', Buffer.of(0))]
  const indexed = await decodeImage({
    bytes: createPng({ size: [3, 1], bits: 1, colourType: 3, rows: Uint8Array.of(0, 0b0110_0000), extra: palette }),
    max_pixels,
  })
  assert.deepEqual([...indexed.mask], [0, 255, 255])
  assert.deepEqual([...indexed.data], [1, 250, 250, 2, 251, 251, 3, 252, 252])
  const gray = await decodeImage({
    bytes: createPng({ size: [3, 1], bits: 2, colourType: 0, rows: Uint8Array.of(0, 0b00_01_11_00) }),
    max_pixels,
  })
  assert.deepEqual([...gray.data.subarray(0, 3)], [0, 85, 255])
  const deep = await decodeImage({
    bytes: createPng({ size: [1, 1], bits: 16, colourType: 2, rows: Uint8Array.of(0, 200, 1, 100, 2, 50, 3) }),
    max_pixels,
  })
  assert.deepEqual([...deep.data], [200, 100, 50])
})

test('sizes that are too large are refused before anything is decoded', async () => {
  const rows = Uint8Array.of(0, 1)
  const huge = createPng({ size: [60_000, 60_000], bits: 8, colourType: 6, rows })
  await assert.rejects(decodeImage({ bytes: huge, max_pixels }), hasKind('budget'))
  const jpeg = encodeRenderedImage(createImage('rgb', 3), 'jpeg')
  const webp = encodeRenderedImage(createImage('rgba', 4), 'webp')
  for (const bytes of [jpeg, webp])
    await assert.rejects(decodeImage({ bytes, max_pixels: count - 1 }), hasKind('budget'))
  // Many bytes are hidden behind a small size.
  const bomb = createPng({ size: [1, 1], bits: 8, colourType: 0, rows: new Uint8Array(10_000_000) })
  await assert.rejects(decodeImage({ bytes: bomb, max_pixels }), hasKind('damaged'))
})

test('rubbish, cut and inconsistent files are raster failures', async () => {
  const rows = Uint8Array.of(0, 1, 2, 3)
  const good: MadePng = { size: [3, 1], bits: 8, colourType: 0, rows }
  const wrong: readonly Partial<MadePng>[] = [
    { size: [0, 1] },
    { size: [4, 1] },
    { bits: 3 },
    { colourType: 5 },
    { bits: 2, colourType: 2 },
    { rows: Uint8Array.of(9, 1, 2, 3) },
    { interlace: 1 },
  ]
  for (const change of wrong)
    await assert.rejects(
      decodeImage({ bytes: createPng({ ...good, ...change }), max_pixels }),
      hasKind('damaged', 'unsupported'),
      JSON.stringify(change),
    )
  const files = [
    createPng(good),
    ...(['jpeg', 'webp'] as const).map((format) => encodeRenderedImage(createImage('rgba', 4), format)),
  ]
  for (const file of files) {
    for (let length = 0; length < Math.min(file.length - 20, 400); length += 7)
      await assert.rejects(
        decodeImage({ bytes: file.subarray(0, length), max_pixels }),
        hasKind('not_raster', 'damaged', 'unsupported'),
        `${length} bytes`,
      )
  }
  await assert.rejects(decodeImage({ bytes: Buffer.from('<html></html>'), max_pixels }), hasKind('not_raster'))
})
