import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { RasterFailure } from '../../failures.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import { openRaster } from '../open-raster.ts'
import { readWindow } from '../../compute/window/read-window.ts'
import type { PixelBlock, Raster } from '../../types.ts'
import { readGmlGrid } from './gml-grid.ts'

const fixtures = new URL('../../../../../fixtures/rasters/', import.meta.url)

interface Expected {
  readonly bands: number
  readonly type: string
  readonly affine: number[] | null
  readonly levels: { width: number; height: number; mask: string; samples: string }[]
}

const expected = JSON.parse(readFileSync(new URL('jpeg2000.json', fixtures), 'utf8')) as Record<string, Expected>

const load = (file: string): Uint8Array => new Uint8Array(readFileSync(new URL(file, fixtures)))
const open = (bytes: Uint8Array): Promise<Raster> => openRaster(createMemorySource(bytes, 'bytes'))
const digest = (array: ArrayBufferView): string =>
  createHash('md5')
    .update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
    .digest('hex')

async function readAll(raster: Raster, level = 0): Promise<PixelBlock> {
  const { width, height } = raster.levels[level]!
  return readWindow(raster, { level, window: [0, 0, width, height] })
}

const refuses = (reading: Promise<unknown>, kind: string, words: string): Promise<void> =>
  assert.rejects(
    reading,
    (error) => error instanceof RasterFailure && error.kind === kind && error.message.includes(words),
  )

for (const [file, facts] of Object.entries(expected)) {
  test(`${file} is read as GDAL reads it, resolution by resolution`, async () => {
    const raster = await open(load(file))
    assert.equal(raster.bands.length, facts.bands)
    assert.equal(raster.sampleType, facts.type)
    assert.equal(raster.georeferenced, facts.affine !== null)
    for (const [at, value] of (facts.affine ?? []).entries()) {
      assert.ok(
        Math.abs(raster.affine[at]! - value) <= 1e-9 * Math.max(1, Math.abs(value)),
        `${raster.affine[at]} ${value}`,
      )
    }
    for (const [index, level] of facts.levels.entries()) {
      const block = await readAll(raster, index)
      assert.deepEqual([block.width, block.height], [level.width, level.height])
      assert.equal(digest(block.data), level.samples)
      assert.equal(digest(block.mask), level.mask)
    }
  })
}

test('a window of some bands is the same part of the whole image, at every resolution', async () => {
  for (const file of ['u16-two-bands-precincts.jp2', 'u8-rgba-layers.jp2', 'i16-odd-tiles.jp2', 'u8-rgb-tiles.jp2']) {
    const raster = await open(load(`jpeg2000/${file}`))
    const band = raster.bands.length - 1
    for (const [level, { width, height }] of raster.levels.entries()) {
      const whole = await readAll(raster, level)
      const [x0, y0] = [Math.floor(width / 3), Math.floor(height / 4)]
      const part = await readWindow(raster, { level, window: [x0, y0, width - 1, height], bands: [band] })
      for (let y = 0; y < part.height; y++) {
        const from = (band * height + y + y0) * width + x0
        assert.deepEqual(
          part.data.slice(y * part.width, (y + 1) * part.width),
          whole.data.slice(from, from + part.width),
        )
      }
    }
  }
})

test('only the tiles that a window needs are fetched', async () => {
  const bytes = load('jpeg2000/u16-tiles.jp2')
  let fetched = 0
  const inner = createMemorySource(bytes, 'counted')
  const read = (offset: number, length: number) => ((fetched += length), inner.read(offset, length))
  const raster = await openRaster({ ...inner, read })
  await readWindow(raster, { window: [0, 0, 1, 1] })
  fetched = 0
  await readWindow(raster, { window: [70, 70, 120, 120] })
  assert.ok(fetched > 1000 && fetched < bytes.length / 4, `${fetched} of ${bytes.length} bytes`)
})

test('samples of eight bits with a sign keep it', async () => {
  const bytes = load('jpeg2000/u8-rgb-tiles.jp2')
  const before = await readAll(await open(bytes))
  const size = Buffer.from(bytes.buffer).indexOf(Buffer.from('ff51', 'hex'))
  for (let band = 0; band < 3; band++) bytes[size + 40 + band * 3] = 0x87
  const raster = await open(bytes)
  assert.equal(raster.sampleType, 'int8')
  const after = await readAll(raster)
  // Without a sign samples are coded as differences to the middle of their range.
  assert.deepEqual(
    Array.from(after.data),
    Array.from(before.data, (value) => value - 128),
  )
})

test('an unsupported feature is refused by name', async () => {
  await refuses(open(load('refused/20-bits.jp2')), 'unsupported', '20 bits')
  await refuses(open(load('refused/palette.jp2')), 'unsupported', 'palette')
  await refuses(open(load('refused/subsampled.jp2')), 'unsupported', 'subsampled')
})

test('a tile that would take too much memory is refused, and its smaller resolutions are not', async () => {
  const bytes = load('jpeg2000/u16-boxes-behind.jp2')
  const size = Buffer.from(bytes.buffer).indexOf(Buffer.from('ff51', 'hex'))
  const view = new DataView(bytes.buffer)
  // The image and its one tile: 8,000 × 4,000 pixels.
  for (const [place, value] of [
    [6, 8000],
    [10, 4000],
    [22, 8000],
    [26, 4000],
  ] as const) {
    view.setUint32(size + place, value)
  }
  const raster = await open(bytes)
  await refuses(readWindow(raster, { window: [0, 0, 1, 1] }), 'budget', 'a tile of 8000 × 4000 pixels')
  // The bytes hold another image: it cannot be decoded, but it is not too large to try.
  await readWindow(raster, { level: 2, window: [0, 0, 1, 1] }).catch((error: unknown) => {
    assert.ok(error instanceof RasterFailure && error.kind === 'damaged', String(error))
  })
})

test('a tile in millions of pieces is refused before the decoder sees it', async () => {
  const bytes = load('jpeg2000/u16-boxes-behind.jp2')
  const size = Buffer.from(bytes.buffer).indexOf(Buffer.from('ff51', 'hex'))
  const coding = Buffer.from(bytes.buffer).indexOf(Buffer.from('ff52', 'hex'))
  const view = new DataView(bytes.buffer)
  for (const place of [6, 10, 22, 26]) view.setUint32(size + place, 4000)
  // Code-blocks of four by four pixels.
  bytes.fill(0, coding + 10, coding + 12)
  await refuses(readWindow(await open(bytes), { window: [0, 0, 1, 1] }), 'budget', 'too many pieces')
})

test('a wrong list of tile-parts, and missing tiles, are damaged when they are read', async () => {
  const listed = load('jpeg2000/u16-two-bands-precincts.jp2')
  const list = Buffer.from(listed.buffer).indexOf(Buffer.from('ff55', 'hex'))
  assert.ok(list > 0)
  listed[list + 12]! ^= 0x10
  const liar = await open(listed)
  await refuses(readAll(liar), 'damaged', '')

  const whole = load('jpeg2000/u16-tiles.jp2')
  const short = await open(whole.slice(0, whole.length / 2))
  assert.equal((await readWindow(short, { window: [0, 0, 64, 64] })).width, 64)
  await refuses(readWindow(short, { window: [130, 130, 170, 150] }), 'damaged', '')
})

test('an image cut short, or with bytes turned over, ends in an image or a named failure', async () => {
  let seed = 20_260_202
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
  const files = Object.keys(expected)
  for (let round = 0; round < 150; round++) {
    const whole = load(files[round % files.length]!)
    const bytes = round % 3 === 0 ? whole.slice(0, Math.floor(random() * whole.length)) : whole
    const reach = random() < 0.6 ? Math.min(900, bytes.length) : bytes.length
    for (let change = 0; change < 3; change++) bytes[Math.floor(random() * reach)] = Math.floor(random() * 256)
    try {
      const raster = await open(bytes)
      await readWindow(raster, { window: [0, 0, raster.width, raster.height], budget_bytes: 16_000_000 })
    } catch (error) {
      assert.ok(error instanceof RasterFailure, `round ${round}: ${String(error)}`)
    }
  }
})

test('a grid in GML: names and addresses of reference systems, coordinates in either order, and none', async () => {
  const gml = (system: string, pos: string, first: string, second: string) =>
    `<gml:RectifiedGridCoverage><gml:RectifiedGrid dimension="2"><gml:origin><gml:Point srsName="${system}">
      <gml:pos>${pos}</gml:pos></gml:Point></gml:origin><gml:offsetVector>${first}</gml:offsetVector>
      <gml:offsetVector>${second}</gml:offsetVector></gml:RectifiedGrid></gml:RectifiedGridCoverage>`
  const inDegrees = async (epsg: number) => epsg === 4326
  const utm = 'urn:ogc:def:crs:EPSG::32632'
  assert.deepEqual(await readGmlGrid(gml(utm, '500005 4999995', '10 0', '0 -10'), inDegrees), {
    affine: [500_000, 10, 0, 5_000_000, 0, -10],
    epsg: 32_632,
  })
  const address = 'http://www.opengis.net/def/crs/EPSG/0/4326'
  const degrees = await readGmlGrid(gml(address, '49.95 10.05', '0.03 0.1', '-0.1 0.02'), inDegrees)
  assert.deepEqual(
    degrees?.affine.map((value) => Number(value.toFixed(9))),
    [9.99, 0.1, 0.02, 49.985, 0.03, -0.1],
  )
  // EPSG:3035 counts to the north first.
  const lambert = await readGmlGrid(gml('urn:ogc:def:crs:EPSG::3035', '2999995 4000005', '0 10', '-10 0'), inDegrees)
  assert.deepEqual(lambert?.affine, [4_000_000, 10, 0, 3_000_000, 0, -10])
  for (const broken of ['', gml('', '1 1', '1 0', '0 1'), gml(utm, '1', '1 0', '0 1'), gml(utm, '1 1', '1 0', '2 0')]) {
    assert.equal(await readGmlGrid(broken, inDegrees), null)
  }
  const began = performance.now()
  for (const text of ['<gml:RectifiedGrid>', '<gml:RectifiedGrid ><offsetVector ', 'srsName="EPSG', '<pos']) {
    assert.equal(await readGmlGrid(text.repeat(50_000), inDegrees), null)
  }
  assert.ok(performance.now() - began < 5000)
})
