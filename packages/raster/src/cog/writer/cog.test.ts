import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sampleTypeProperties } from '../../sample-types.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import { openRaster } from '../../formats/open-raster.ts'
import { readWindow } from '../../compute/window/read-window.ts'
import type { PixelBlock, Raster, SampleArray, SampleType } from '../../types.ts'
import { checkCogLayout } from '../../../test/check-cog-layout.ts'
import type { CogInput, CogOptions, CogResult } from './cog-types.ts'
import { writeCog } from './cog.ts'
import { blockToPixelRows } from '../../../test/pixel-rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'cog-'))
after(() => rmSync(folder, { recursive: true }))

const utm33 = { epsg: 32_633, proj4: '+proj=utm +zone=33 +datum=WGS84', name: 'UTM 33N', geographic: false }

interface Scene {
  readonly type: SampleType
  readonly width: number
  readonly height: number
  readonly colours: readonly string[]
  readonly nodata?: number
  readonly masked?: boolean
}

/** A value for every sample that any reader can work out again; the upper left corner is empty where there is nodata. */
function sampleOf(scene: Scene, x: number, y: number, band: number): number {
  if (scene.colours[band] === 'alpha') return x < y ? 0 : 255
  if (scene.nodata !== undefined && x + y < 60) return scene.nodata
  const value = 10 + ((x * 3 + y * 5 + band * 17 + ((x * y) % 7)) % 100)
  return sampleTypeProperties[scene.type].format === 3 ? value / 8 : value
}

function isValid(scene: Scene, x: number, y: number): boolean {
  return scene.masked ? (x - 100) ** 2 + (y - 100) ** 2 > 2500 : !scene.colours.includes('alpha') || x >= y
}

function makeRows(scene: Scene, top: number, rows: number): PixelBlock {
  const { width, colours, type } = scene
  const count = width * rows
  const data = sampleTypeProperties[type].allocate(count * colours.length)
  const mask = new Uint8Array(count)
  for (let at = 0; at < count; at++) {
    const [x, y] = [at % width, top + Math.floor(at / width)]
    for (let band = 0; band < colours.length; band++) data[band * count + at] = sampleOf(scene, x, y, band)
    mask[at] = isValid(scene, x, y) ? 255 : 0
  }
  return { width, height: rows, bands: colours.length, data, mask }
}

function inputOf(scene: Scene): CogInput {
  return {
    width: scene.width,
    height: scene.height,
    sampleType: scene.type,
    bands: scene.colours.map((colour, i) => ({ name: `band <${i}> & more`, colour, scale: 0.5, offset: i })),
    nodata: scene.nodata ?? null,
    masked: scene.masked ?? false,
    georeferencing: { affine: [500_000, 10, 0, 5_000_000, 0, -10], crs: utm33, geoTags: null },
    metadata: { ACQUIRED: '2020-01-02' },
    readRows: async (top, rows) => blockToPixelRows(makeRows(scene, top, rows)),
  }
}

async function writeScene(name: string, scene: Scene, options: CogOptions = {}): Promise<[CogResult, Raster, Buffer]> {
  const result = await writeCog(inputOf(scene), join(folder, name), options)
  const bytes = readFileSync(result.path)
  assert.deepEqual((await checkCogLayout(createMemorySource(bytes, name))).problems, [])
  assert.equal(result.size_bytes, bytes.length)
  assert.equal(result.sha256, createHash('sha256').update(bytes).digest('hex'))
  const raster = await openRaster(createMemorySource(bytes, name))
  return [result, raster, bytes]
}

async function readLevel(raster: Raster, level: number): Promise<PixelBlock> {
  const { width, height } = raster.levels[level]!
  return readWindow(raster, { level, window: [0, 0, width, height] })
}

function assertSame(found: SampleArray, expected: SampleArray): void {
  assert.equal(found.length, expected.length)
  const at = found.findIndex((value, i) => !Object.is(value, expected[i]))
  assert.equal(at, -1, `sample ${at} is ${found[at]}, not ${expected[at]}`)
}

for (const type of Object.keys(sampleTypeProperties) as SampleType[])
  for (const compression of ['deflate', 'zstd'] as const)
    test(`${type} with ${compression} reads back sample by sample`, async () => {
      const scene: Scene = { type, width: 300, height: 270, colours: ['gray', 'undefined'] }
      const [result, raster] = await writeScene(`${type}-${compression}.tif`, scene, { compression, block: 128 })
      assert.equal(raster.sampleType, type)
      assertSame((await readLevel(raster, 0)).data, makeRows(scene, 0, 270).data)
      assert.deepEqual(result.levels, [
        { width: 300, height: 270 },
        { width: 150, height: 135 },
        { width: 75, height: 68 },
      ])
    })

test('place, names, nodata, scales, statistics and metadata are written', async () => {
  const scene: Scene = { type: 'int16', width: 200, height: 100, colours: ['gray', 'undefined'], nodata: -32_768 }
  const [result, raster] = await writeScene('facts.tif', scene)
  assert.deepEqual(raster.affine, [500_000, 10, 0, 5_000_000, 0, -10])
  assert.equal(raster.crs.epsg, 32_633)
  assert.equal(raster.nodata, -32_768)
  assert.deepEqual(raster.metadata, { ACQUIRED: '2020-01-02' })
  assert.deepEqual(
    raster.bands.map(({ name, scale, offset }) => [name, scale, offset]),
    [
      ['band <0> & more', 0.5, 0],
      ['band <1> & more', 0.5, 1],
    ],
  )
  const values: number[] = []
  for (let y = 0; y < 100; y++) for (let x = 0; x < 200; x++) if (x + y >= 60) values.push(sampleOf(scene, x, y, 0))
  const [first] = result.statistics
  assert.equal(first!.minimum, Math.min(...values))
  assert.equal(first!.maximum, Math.max(...values))
  assert.ok(Math.abs(first!.mean - values.reduce((sum, value) => sum + value, 0) / values.length) < 1e-9)
  assert.equal(first!.valid_percent, (100 * values.length) / 20_000)
  assert.deepEqual(raster.bands[0]!.statistics, {
    ...first,
    valid_percent: Number(first!.valid_percent.toPrecision(4)),
  })
})

test('red, green, blue and alpha are marked as such, and alpha decides what overviews average', async () => {
  const scene: Scene = { type: 'uint8', width: 600, height: 520, colours: ['red', 'green', 'blue', 'alpha'] }
  const [, raster] = await writeScene('rgba.tif', scene)
  assert.deepEqual(
    raster.bands.map((band) => band.colour),
    ['red', 'green', 'blue', 'alpha'],
  )
  assert.equal(raster.alphaBand, 3)
  const half = await readLevel(raster, 1)
  // Of the four pixels at (10..11, 10..11) the lower left one is transparent.
  const [a, b, c] = [
    [10, 10],
    [11, 10],
    [11, 11],
  ].map(([x, y]) => sampleOf(scene, x!, y!, 0)) as [number, number, number]
  assert.equal(half.data[5 * 300 + 5], Math.floor((a + b + c) / 3 + 0.5))
  assert.equal(half.data[3 * 300 * 260 + 5 * 300 + 5], Math.floor((255 * 3) / 4 + 0.5))
})

test('an internal mask follows every image block and survives in the overviews', async () => {
  const scene: Scene = { type: 'uint8', width: 700, height: 530, colours: ['red', 'green', 'blue'], masked: true }
  const [result, raster, bytes] = await writeScene('masked.tif', scene)
  assert.ok(bytes.includes('MASK_INTERLEAVED_WITH_IMAGERY=YES'))
  const whole = await readLevel(raster, 0)
  assertSame(whole.mask, makeRows(scene, 0, 530).mask)
  const half = await readLevel(raster, 1)
  for (const [x, y] of [
    [50, 50],
    [50, 74],
    [50, 80],
    [10, 10],
  ] as const) {
    const any = [0, 1].some((dx) => [0, 1].some((dy) => isValid(scene, x * 2 + dx, y * 2 + dy)))
    assert.equal(half.mask[y * 350 + x], any ? 255 : 0)
  }
  assert.ok(result.statistics[0]!.valid_percent < 99)
})

test('overviews leave nodata out and never make a valid pixel look empty', async () => {
  const scene: Scene = { type: 'uint16', width: 520, height: 513, colours: ['gray'], nodata: 0 }
  const [, raster] = await writeScene('nodata.tif', scene)
  const half = await readLevel(raster, 1)
  assert.equal(half.data[0], 0)
  for (const [x, y] of [
    [29, 0],
    [30, 0],
    [100, 200],
    [259, 256],
  ] as const) {
    const values = [0, 1]
      .flatMap((dy) => [0, 1].map((dx) => [x * 2 + dx, y * 2 + dy] as const))
      .filter(([px, py]) => px < 520 && py < 513)
      .map(([px, py]) => sampleOf(scene, px, py, 0))
      .filter((value) => value !== 0)
    const mean = values.length > 0 ? Math.floor(values.reduce((sum, value) => sum + value, 0) / values.length + 0.5) : 0
    assert.equal(half.data[y * 260 + x], mean)
  }
})

test('a palette keeps its colours and its overviews keep to listed values', async () => {
  const palette = Uint8Array.from({ length: 768 }, (_, i) => (i * 7) & 255)
  const scene: Scene = { type: 'uint8', width: 600, height: 20, colours: ['palette'] }
  const result = await writeCog({ ...inputOf(scene), palette }, join(folder, 'palette.tif'))
  const raster = await openRaster(createMemorySource(readFileSync(result.path), 'palette'))
  assert.deepEqual(raster.palette, palette)
  const half = await readLevel(raster, 1)
  const four = [sampleOf(scene, 0, 0, 0), sampleOf(scene, 1, 0, 0), sampleOf(scene, 0, 1, 0), sampleOf(scene, 1, 1, 0)]
  assert.ok(four.includes(half.data[0]!))
})

test('bands keep their colours when they are not in the order of an image', async () => {
  const scene: Scene = { type: 'uint16', width: 40, height: 40, colours: ['blue', 'green', 'red', 'undefined'] }
  const [, , bytes] = await writeScene('order.tif', scene)
  const text = bytes.toString('latin1')
  assert.match(text, /sample="0" role="colorinterp">Blue</)
  assert.match(text, /sample="2" role="colorinterp">Red</)
})

test('BigTIFF on request, and the same bytes every time', async () => {
  const scene: Scene = { type: 'uint8', width: 600, height: 600, colours: ['gray'] }
  const [result, raster, bytes] = await writeScene('big.tif', scene, { bigTiff: true })
  assert.ok(result.bigTiff)
  assert.equal(bytes.readUInt16LE(2), 43)
  assertSame((await readLevel(raster, 0)).data, makeRows(scene, 0, 600).data)
  const [again] = await writeScene('big-again.tif', scene, { bigTiff: true })
  assert.equal(again.sha256, result.sha256)
})

test('a single pixel is a valid file', async () => {
  const scene: Scene = { type: 'float32', width: 1, height: 1, colours: ['gray'] }
  const [result, raster] = await writeScene('tiny.tif', scene)
  assert.equal(result.levels.length, 1)
  assert.equal((await readLevel(raster, 0)).data[0], sampleOf(scene, 0, 0, 0))
})

test('failures are named and leave nothing behind', async () => {
  const scene: Scene = { type: 'uint8', width: 600, height: 1200, colours: ['gray'] }
  const before = readdirSync(folder).length
  const path = join(folder, 'never.tif')
  const halfway = {
    ...inputOf(scene),
    readRows: async (top: number, rows: number) => {
      if (top > 0) throw new Error('the source broke')
      return blockToPixelRows(makeRows(scene, top, rows))
    },
  }
  await assert.rejects(writeCog(halfway, path), /the source broke/)
  await assert.rejects(writeCog({ ...inputOf(scene), width: 601 }, path), { kind: 'request' })
  await assert.rejects(writeCog({ ...inputOf(scene), width: 0 }, path), { kind: 'request' })
  await assert.rejects(writeCog({ ...inputOf(scene), width: 2e9 }, path), { kind: 'budget' })
  await assert.rejects(writeCog(inputOf(scene), path, { signal: AbortSignal.abort() }), { kind: 'cancelled' })
  await assert.rejects(writeCog(inputOf(scene), join(folder, 'missing', 'x.tif')), { kind: 'write' })
  assert.equal(readdirSync(folder).length, before)
})
