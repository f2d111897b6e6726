import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { RasterFailure } from '../failures.ts'
import { createMemorySource } from '../io/source/memory.ts'
import { openRaster } from './open-raster.ts'
import { readWindow } from '../compute/window/read-window.ts'

const fixtures = new URL('../../../../fixtures/rasters/', import.meta.url)

const load = (file: string): Uint8Array => new Uint8Array(readFileSync(new URL(file, fixtures)))

async function readAll(bytes: Uint8Array) {
  const raster = await openRaster(createMemorySource(bytes, 'bytes'))
  return readWindow(raster, { window: [0, 0, raster.width, raster.height] })
}

const refuses = (bytes: Uint8Array, words: string): Promise<void> =>
  assert.rejects(
    readAll(bytes),
    (error) => error instanceof RasterFailure && error.kind === 'unsupported' && error.message.includes(words),
  )

const refusalsByFile: Readonly<Record<string, string>> = {
  u64: 'unsigned whole numbers of 64 bits',
  i64: 'signed whole numbers of 64 bits',
  'complex-i16': 'complex numbers',
  'complex-f32': 'complex numbers',
  'complex-f64': 'complex numbers',
  fax4: 'CCITT fax 4',
  lzma: 'LZMA',
}

for (const [name, words] of Object.entries(refusalsByFile)) {
  test(`${name} is refused by name`, () => refuses(load(`refused/${name}.tif`), words))
}

/** Changes the value of a field, or its tag, of a little-endian classic TIFF. */
function changeField(bytes: Uint8Array, tag: number, change: { value?: number; tag?: number }): Uint8Array {
  const view = new DataView(bytes.buffer)
  const directory = view.getUint32(4, true)
  for (let index = 0; index < view.getUint16(directory, true); index++) {
    const at = directory + 2 + index * 12
    if (view.getUint16(at, true) !== tag) continue
    if (change.tag !== undefined) view.setUint16(at, change.tag, true)
    if (change.value !== undefined) view.setUint16(at + 8, change.value, true)
    return bytes
  }
  throw new Error(`no field ${tag}`)
}

test('colours that need mathematics of their own, and bits from the low end, are refused by name', async () => {
  const plain = (): Uint8Array => load('packings/u8-old-deflate-code.tif')
  await refuses(changeField(plain(), 262, { value: 6 }), 'YCbCr (without JPEG)')
  await refuses(changeField(plain(), 262, { value: 8 }), 'CIE L*a*b*')
  await refuses(changeField(plain(), 284, { tag: 266, value: 2 }), 'bits run from the low end')
  await refuses(changeField(plain(), 259, { value: 34_712 }), 'JPEG 2000')
  await refuses(changeField(plain(), 317, { value: 9 }), 'predictor 9')
})

test('a JPEG block holds bytes, whatever the header says of its samples', async () => {
  for (const bits of [4, 12, 16]) {
    await assert.rejects(
      readAll(changeField(load('packings/u8-jpeg-gray-strips.tif'), 258, { value: bits })),
      (error) =>
        error instanceof RasterFailure &&
        error.kind === 'damaged' &&
        error.message.includes(`of the file have ${bits}`),
    )
  }
})

test('LZW of the time before TIFF 6.0 is refused by name', async () => {
  const bytes = load('packings/u8-palette.tif')
  const view = new DataView(bytes.buffer)
  const directory = view.getUint32(4, true)
  const entries = Array.from({ length: view.getUint16(directory, true) }, (_, index) => directory + 2 + index * 12)
  const offsets = entries.find((at) => view.getUint16(at, true) === 273)!
  // There is one strip: its place stands in the field itself.
  assert.equal(view.getUint32(offsets + 4, true), 1)
  const first = view.getUint32(offsets + 8, true)
  // Its first code, "clear", came low bits first.
  bytes.set([0x00, 0x01], first)
  await refuses(bytes, 'before TIFF 6.0')
})

test('a predictor before a compression that knows none means nothing', async () => {
  const bytes = load('packings/u8-packbits.tif')
  const before = await readAll(bytes)
  const after = await readAll(changeField(bytes, 284, { tag: 317, value: 2 }))
  assert.deepEqual(after.data, before.data)
})

test('scale, offset, names and colours of a palette come with the header', async () => {
  const scaled = await openRaster(createMemorySource(load('packings/i16-scale-offset.tif'), 'scaled'))
  assert.deepEqual(
    [scaled.bands[0]!.scale, scaled.bands[0]!.offset, scaled.bands[0]!.name, scaled.nodata],
    [0.25, -12.5, 'height above the lake', -32_768],
  )
  for (const [file, size] of [
    ['packings/u8-palette.tif', 256],
    ['packings/u8-palette-4-bits.tif', 16],
  ] as const) {
    const { palette, bands } = await openRaster(createMemorySource(load(file), file))
    assert.equal(palette?.length, size * 3)
    assert.deepEqual([...palette!.subarray(3, 9)], [17, 246, 61, 34, 237, 122])
    assert.equal(bands[0]!.colour, 'palette')
  }
})
