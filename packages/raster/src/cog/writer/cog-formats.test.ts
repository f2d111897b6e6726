import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sampleTypeProperties } from '../../sample-types.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import { openRaster } from '../../formats/open-raster.ts'
import { readPixelInterleavedWindow } from '../../compute/window/read-window.ts'
import type { PixelRows, Raster, SampleType } from '../../types.ts'
import { checkCogLayout } from '../../../test/check-cog-layout.ts'
import type { CogInput, CogOptions } from './cog-types.ts'
import { writeCog } from './cog.ts'

const folder = mkdtempSync(join(tmpdir(), 'formats-'))
after(() => rmSync(folder, { recursive: true }))

const [WIDTH, HEIGHT] = [300, 260]

interface TestImage extends Partial<Omit<CogInput, 'readRows'>> {
  readonly colours: readonly string[]
  readonly value: (x: number, y: number, band: number) => number
  readonly valid?: (x: number, y: number) => boolean
}

function makeRows({ colours, value, valid, sampleType = 'uint8' }: TestImage, top: number, rows: number): PixelRows {
  const bands = colours.length
  const data = sampleTypeProperties[sampleType].allocate(WIDTH * rows * bands)
  const mask = new Uint8Array(WIDTH * rows)
  for (let pixel = 0; pixel < mask.length; pixel++) {
    const [x, y] = [pixel % WIDTH, top + Math.floor(pixel / WIDTH)]
    for (let band = 0; band < bands; band++) data[pixel * bands + band] = value(x, y, band)
    mask[pixel] = valid?.(x, y) === false ? 0 : 255
  }
  return { width: WIDTH, rows, bands, data, mask: valid ? mask : null }
}

async function write(testImage: TestImage, options: CogOptions): Promise<[raster: Raster, bytes: Buffer]> {
  const { path } = await writeCog(
    {
      width: WIDTH,
      height: HEIGHT,
      sampleType: 'uint8',
      bands: testImage.colours.map((colour) => ({ name: null, colour, scale: 1, offset: 0 })),
      nodata: null,
      masked: false,
      georeferencing: { affine: null, crs: null, geoTags: null },
      ...testImage,
      readRows: async (top, rows) => makeRows(testImage, top, rows),
    },
    join(folder, 'file.tif'),
    { block: 128, ...options },
  )
  const bytes = readFileSync(path)
  const source = createMemorySource(bytes, 'file')
  assert.deepEqual((await checkCogLayout(source)).problems, [])
  return [await openRaster(source), bytes]
}

async function readLevel(raster: Raster, level = 0): Promise<PixelRows> {
  const { width, height } = raster.levels[level]!
  return readPixelInterleavedWindow(raster, { level, window: [0, 0, width, height] })
}

const smooth = (x: number, y: number, band: number): number => Math.round(100 + 60 * Math.sin(x / 40 + band) + y / 8)
const hole = (x: number, y: number): boolean => (x - 150) ** 2 + (y - 130) ** 2 > 3600

function meanDifference(found: PixelRows, testImage: TestImage): number {
  const expected = makeRows(testImage, 0, HEIGHT)
  let [sum, count] = [0, 0]
  for (let at = 0; at < found.data.length; at++) {
    if (found.mask?.[Math.floor(at / found.bands)] === 0) continue
    sum += Math.abs(found.data[at]! - expected.data[at]!)
    count++
  }
  return sum / count
}

test('JPEG of gray and of colours as YCbCr', async () => {
  const gray: TestImage = { colours: ['gray'], value: smooth }
  const [one] = await write(gray, { compression: 'jpeg', quality: 90 })
  assert.deepEqual([one.levels[0]!.compression, one.levels[0]!.photometric], [7, 1])
  assert.ok(meanDifference(await readLevel(one), gray) < 1)
  const colours: TestImage = { colours: ['red', 'green', 'blue'], value: smooth }
  const [three, fine] = await write(colours, { compression: 'jpeg', quality: 95 })
  assert.equal(three.levels[0]!.photometric, 6)
  assert.ok(meanDifference(await readLevel(three), colours) < 2)
  const [, coarse] = await write(colours, { compression: 'jpeg', quality: 30 })
  assert.ok(coarse.length < fine.length)
})

test('in lossy files a mask says what is missing, never nodata', async () => {
  const value = (x: number, y: number, band: number): number => (hole(x, y) ? smooth(x, y, band) : 0)
  const testImage: TestImage = { colours: ['red', 'green', 'blue'], value, valid: hole, nodata: 0 }
  for (const compression of ['jpeg', 'webp'] as const) {
    const [raster] = await write(testImage, { compression, quality: 90 })
    assert.equal(raster.nodata, null)
    const found = await readLevel(raster)
    assert.deepEqual(found.mask, makeRows(testImage, 0, HEIGHT).mask)
    assert.ok(meanDifference(found, testImage) < 4)
  }
  const [kept] = await write(testImage, { compression: 'webp', lossless: true })
  assert.equal(kept.nodata, 0)
  assert.deepEqual((await readLevel(kept)).data, makeRows(testImage, 0, HEIGHT).data)
})

test('WebP keeps alpha, and without loss also what it hides', async () => {
  const value = (x: number, y: number, band: number): number => (band < 3 ? smooth(x, y, band) : hole(x, y) ? 255 : 0)
  const testImage: TestImage = { colours: ['red', 'green', 'blue', 'alpha'], value, valid: hole }
  const [lossy] = await write(testImage, { compression: 'webp', quality: 80 })
  assert.equal(lossy.alphaBand, 3)
  assert.deepEqual((await readLevel(lossy)).mask, makeRows(testImage, 0, HEIGHT).mask)
  const [exact] = await write(testImage, { compression: 'webp', lossless: true })
  assert.deepEqual((await readLevel(exact)).data, makeRows(testImage, 0, HEIGHT).data)
})

test('samples as they are, without compression or without differences', async () => {
  const testImage: TestImage = {
    colours: ['gray', 'undefined'],
    sampleType: 'int16',
    value: (x, y, b) => x * 7 - y * 11 + b,
  }
  for (const options of [
    { compression: 'none' },
    { predictor: false },
    { compression: 'zstd', predictor: false },
  ] as const) {
    const [raster] = await write(testImage, options)
    assert.equal(raster.levels[0]!.predictor, 1)
    assert.deepEqual((await readLevel(raster)).data, makeRows(testImage, 0, HEIGHT).data)
  }
})

test('deflate packs noise and patterns alike, whichever way it takes', async () => {
  const noise: TestImage = {
    colours: ['gray'],
    sampleType: 'uint16',
    value: (x, y) => ((x * 40_503) ^ (y * 9973)) & 0xfff,
  }
  const pattern: TestImage = {
    colours: ['gray'],
    sampleType: 'uint16',
    value: (x, y) => [3, 977, 41, 6000, 12][(x + y) % 5]!,
  }
  for (const testImage of [noise, pattern]) {
    const [raster] = await write(testImage, {})
    assert.deepEqual((await readLevel(raster)).data, makeRows(testImage, 0, HEIGHT).data)
  }
  const [, small] = await write(pattern, {})
  const [, plain] = await write(pattern, { compression: 'none' })
  assert.ok(small.length * 8 < plain.length)
})

test('blocks that hold nothing are left out on request', async () => {
  const left = (x: number): boolean => x < 100
  const value = (x: number): number => (left(x) ? 1 + (x % 50) : 0)
  const types: SampleType[] = ['uint8', 'float32']
  for (const sampleType of types) {
    const testImage: TestImage = { colours: ['gray'], sampleType, value, nodata: 0 }
    const [raster, bytes] = await write(testImage, { sparse: true })
    assert.deepEqual((await readLevel(raster)).data, makeRows(testImage, 0, HEIGHT).data)
    const [, full] = await write(testImage, {})
    assert.ok(bytes.length < full.length)
  }
  const nan: TestImage = { colours: ['gray'], sampleType: 'float32', value: (x) => (left(x) ? x : NaN), nodata: NaN }
  const [empty] = await write(nan, { sparse: true })
  assert.deepEqual((await readLevel(empty)).data, makeRows(nan, 0, HEIGHT).data)
  // A block of zeros that are valid is no empty block.
  const masked: TestImage = { colours: ['gray'], value, valid: (x) => x < 200, masked: true }
  const [holes] = await write(masked, { sparse: true })
  assert.deepEqual((await readLevel(holes)).mask, makeRows(masked, 0, HEIGHT).mask)
})

test('overviews take the nearest or the commonest pixel, with its validity', async () => {
  const value = (x: number, y: number): number => [5, 9, 9, 5, 7, 7, 1, 2][(x + 2 * y) % 8]!
  const valid = (x: number, y: number): boolean => (x * 3 + y * 5) % 7 > 2
  const testImage: TestImage = { colours: ['gray'], value, valid, masked: true }
  const four = (x: number, y: number): [number, number][] => [
    [2 * x, 2 * y],
    [2 * x + 1, 2 * y],
    [2 * x, 2 * y + 1],
    [2 * x + 1, 2 * y + 1],
  ]
  const [nearest] = await write(testImage, { overviews: 'nearest' })
  const [mode] = await write(testImage, { overviews: 'mode' })
  const [first, common] = [await readLevel(nearest, 1), await readLevel(mode, 1)]
  for (let at = 0; at < 150 * 130; at++) {
    const pixels = four(at % 150, Math.floor(at / 150))
    assert.equal(first.data[at], value(...pixels[0]!))
    assert.equal(first.mask![at], valid(...pixels[0]!) ? 255 : 0)
    const [a, b, c] = pixels.map((pixel) => valid(...pixel))
    assert.equal(common.mask![at], (a === b ? a : c) ? 255 : 0)
    const values = pixels.filter((pixel) => valid(...pixel)).map((pixel) => value(...pixel))
    const votes = values.map((one) => values.filter((other) => other === one).length)
    if (values.length > 0) assert.ok(votes[values.indexOf(common.data[at]!)] === Math.max(...votes))
  }
})
