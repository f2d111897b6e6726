import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Affine } from '@swath/geo/affine.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { createCrsFromEpsg } from '../formats/crs/from-code.ts'
import { parseExpression } from '../compute/expression/expression.ts'
import { sampleTypeProperties } from '../sample-types.ts'
import { openFileSource } from '../io/source/file.ts'
import { openRaster } from '../formats/open-raster.ts'
import { readPixelInterleavedWindow } from '../compute/window/read-window.ts'
import type { PixelRows, Raster, SampleType } from '../types.ts'
import { writeAreaChange } from './area-change.ts'
import { checkCogLayout } from '../../test/check-cog-layout.ts'
import { writeCog } from './writer/cog.ts'
import { createProcessInput, estimateProcessImageMemory, runProcessToCog, type RasterProcess } from './process.ts'
import { createRowReader } from './sources/row-reader.ts'
import { createSieveInput } from './sources/sieve.ts'

const folder = mkdtempSync(join(tmpdir(), 'process-'))
const opened: Raster[] = []
after(async () => {
  for (const raster of opened) await raster.source.close()
  rmSync(folder, { recursive: true })
})

const utm33 = await createCrsFromEpsg(32_633)
const [WIDTH, HEIGHT] = [150, 170]

interface Surface {
  readonly type?: SampleType
  readonly nodata?: number | null
  readonly affine?: Affine
  readonly width?: number
  readonly height?: number
  readonly value: (x: number, y: number) => number
}

async function make(surface: Surface) {
  const { type = 'int16', nodata = null, affine = [500_000, 10, 0, 5_000_000, 0, -10], value } = surface
  const { width = WIDTH, height = HEIGHT } = surface
  const input = {
    width,
    height,
    sampleType: type,
    bands: [{ name: 'height', colour: 'gray', scale: 1, offset: 0 }],
    nodata,
    masked: false,
    georeferencing: { affine, crs: utm33, geoTags: null },
    readRows: async (top: number, rows: number): Promise<PixelRows> => {
      const data = sampleTypeProperties[type].allocate(width * rows)
      for (let at = 0; at < data.length; at++) data[at] = value(at % width, top + Math.floor(at / width))
      return { width, rows, bands: 1, data, mask: null }
    },
  }
  return open((await writeCog(input, join(folder, `source-${opened.length}.tif`), { block: 128 })).path)
}

async function open(path: string): Promise<Raster> {
  const raster = await openRaster(await openFileSource(path))
  opened.push(raster)
  return raster
}

async function run(rasters: readonly Raster[], process: RasterProcess) {
  const path = join(folder, `result-${opened.length}.tif`)
  const progress = new Int32Array(new SharedArrayBuffer(4))
  const result = await runProcessToCog(rasters, { path, process, progress })
  assert.equal(Atomics.load(progress, 0), 1000)
  const raster = await open(path)
  assert.deepEqual((await checkCogLayout(raster.source)).problems, [])
  const { width, height } = raster
  return { raster, result, pixels: await readPixelInterleavedWindow(raster, { window: [0, 0, width, height] }) }
}

test('pixels have changed that differ by the threshold, and for a threshold of zero all that differ', async () => {
  const before = await make({ type: 'float32', value: () => 0 })
  // Columns of more, of less and of the same.
  const later = await make({ type: 'float32', value: (x) => [0.7, -0.7, 0][x % 3]! })
  const area: AreaGeometry = {
    type: 'Polygon',
    coordinates: [
      [
        [14, 44],
        [16, 44],
        [16, 46],
        [14, 46],
        [14, 44],
      ],
    ],
  }
  const third = (WIDTH * HEIGHT) / 3
  for (const [threshold, changed] of [
    [0, third],
    [0.7, third],
    [0.71, 0],
  ] as const) {
    const path = join(folder, `change-${threshold}.tif`)
    const bands = { bandsBefore: { b1: 0 }, bandsAfter: { b1: 0 } }
    const { change } = await writeAreaChange(before, later, {
      path,
      area,
      expression: parseExpression('b1'),
      ...bands,
      threshold,
    })
    assert.deepEqual([change.count, change.increased, change.decreased], [3 * third, changed, changed], `${threshold}`)
  }
})

test('pan-sharpening multiplies each band by pan over their weighted sum, and keeps holes', async () => {
  const pan = await make({ type: 'uint16', nodata: 0, value: (x, y) => (x < 3 ? 0 : 200 + x + y) })
  const red = await make({ type: 'uint16', value: (x) => 100 + x })
  const blue = await make({ type: 'uint16', value: (_, y) => 300 + y })
  const { pixels, raster } = await run([pan, red, blue], {
    name: 'pansharpen',
    pan: { raster: 0, band: 0 },
    spectral: [
      { raster: 2, band: 0 },
      { raster: 1, band: 0 },
    ],
    weights: [0.25, 0.75],
  })
  assert.deepEqual([raster.sampleType, raster.bands.length], ['uint16', 2])
  for (const [x, y] of [
    [3, 0],
    [80, 90],
    [WIDTH - 1, HEIGHT - 1],
  ] as const) {
    const factor = (200 + x + y) / (0.25 * (300 + y) + 0.75 * (100 + x))
    const at = 2 * (y * WIDTH + x)
    assert.deepEqual(
      [...pixels.data.subarray(at, at + 2)],
      [Math.round((300 + y) * factor), Math.round((100 + x) * factor)],
    )
  }
  assert.deepEqual([pixels.mask![0], pixels.mask![2], pixels.mask![3]], [0, 0, 255])
  const place = { raster: 0, band: 0 }
  for (const [spectral, weights] of [
    [[], undefined],
    [[place], [1, 2]],
    [[place], [0]],
    [[{ raster: 1, band: 0 }], undefined],
  ] as const)
    await assert.rejects(
      createProcessInput([pan], { name: 'pansharpen', pan: place, spectral, ...(weights ? { weights } : {}) }),
      { kind: 'request' },
    )
})

test('an image of more samples than allowed is refused before a pixel is read', async () => {
  const source = await make({ value: hills })
  const request = { path: join(folder, 'bounded.tif'), process: { name: 'copy' } } as const
  await assert.rejects(runProcessToCog([source], { ...request, max_samples: WIDTH * HEIGHT - 1 }), { kind: 'budget' })
  assert.equal((await runProcessToCog([source], { ...request, max_samples: WIDTH * HEIGHT })).levels[0]!.width, WIDTH)
})

test('areas are burnt over each other, and values that samples cannot hold are refused', async () => {
  const grid = await make({ value: () => 1 })
  const box = (west: number, south: number, east: number, north: number): AreaGeometry => ({
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  })
  const process = { name: 'rasterize', sampleType: 'int16', background: -1 } as const
  const areas = [
    { area: box(14, 44, 16, 46), value: 5 },
    { area: box(15.005, 44, 16, 46), value: 6 },
  ]
  const { pixels, raster } = await run([grid], { ...process, areas })
  assert.equal(raster.nodata, -1)
  // The second area begins 0.005 degrees east of the west side of the grid, which is at 15 degrees.
  const row = [...pixels.data.subarray(0, WIDTH)]
  const from = row.indexOf(6)
  assert.ok(Math.abs(from - (0.005 * 111_320 * Math.cos(0.788)) / 10) < 1, String(from))
  assert.deepEqual(new Set(row.slice(0, from)), new Set([5]))
  assert.deepEqual(new Set(row.slice(from)), new Set([6]))
  const one = (value: number) => [{ area: box(14, 44, 16, 46), value }]
  for (const value of [-1, 1.5, 40_000])
    await assert.rejects(createProcessInput([grid], { ...process, areas: one(value) }), { kind: 'request' })
  await assert.rejects(createProcessInput([grid], { ...process, areas: [{ area: box(20, 10, 21, 11), value: 1 }] }), {
    kind: 'outside',
  })
})

const hills = (x: number, y: number): number => Math.round(300 + 80 * Math.sin(x / 9) + 60 * Math.cos(y / 7) + x / 3)

/** Horn's gradient of a surface at a pixel, with the sums written out. */
function gradientAt(value: (x: number, y: number) => number, x: number, y: number, pixel_m: number) {
  const at = (dx: number, dy: number): number => value(x + dx, y + dy)
  const east = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1)
  const north = at(-1, -1) + 2 * at(0, -1) + at(1, -1) - at(-1, 1) - 2 * at(0, 1) - at(1, 1)
  return { east: east / (8 * pixel_m), north: north / (8 * pixel_m) }
}

/** The first places for which a condition holds. */
function placesWhere(condition: (x: number, y: number) => boolean): (readonly [x: number, y: number])[] {
  const places: (readonly [number, number])[] = []
  for (let y = 0; y < HEIGHT; y++) for (let x = 0; x < WIDTH; x++) if (condition(x, y)) places.push([x, y])
  return places.slice(0, 5)
}

const isInner = (x: number, y: number): boolean => x > 0 && y > 0 && x < WIDTH - 1 && y < HEIGHT - 1

test('slope, aspect and hillshade are those of the gradient, and edges have no value', async () => {
  const raster = await make({ value: hills })
  const radians = Math.PI / 180
  const expected: Readonly<Record<string, (east: number, north: number) => number>> = {
    slope: (east, north) => Math.atan(Math.sqrt(east ** 2 + north ** 2)) / radians,
    aspect: (east, north) => (east === 0 && north === 0 ? -9999 : (Math.atan2(-east, -north) / radians + 360) % 360),
    hillshade: (east, north) => {
      const light = [Math.sin(300 * radians), Math.cos(300 * radians), Math.tan(40 * radians)]
      const cosine =
        (light[2]! - east * light[0]! - north * light[1]!) / Math.hypot(...light) / Math.hypot(east, north, 1)
      return 1 + 254 * Math.max(0, cosine)
    },
  }
  for (const measure of ['slope', 'aspect', 'hillshade'] as const) {
    const { pixels } = await run([raster], {
      name: 'terrain',
      measure,
      azimuth: 300,
      altitude: 40,
      scale: 'projected',
    })
    const tolerance = measure === 'hillshade' ? 0.500_001 : 1e-4
    const wrong = placesWhere((x, y) => {
      const value = pixels.data[y * WIDTH + x]!
      if (!isInner(x, y)) return value !== (measure === 'hillshade' ? 0 : -9999)
      const { east, north } = gradientAt(hills, x, y, 10)
      return !(Math.abs(value - expected[measure]!(east, north)) <= tolerance)
    })
    assert.deepEqual(wrong, [], measure)
  }
})

test('a flat surface has a slope of 0 and no aspect, and pixels beside nodata have no slope', async () => {
  const raster = await make({ nodata: -1, value: (x, y) => (x === 60 && y === 80 ? -1 : 7) })
  const slope = (await run([raster], { name: 'terrain', measure: 'slope' })).pixels
  const valueAt = ({ data }: PixelRows, x: number, y: number): number => data[y * WIDTH + x]!
  assert.deepEqual([valueAt(slope, 60, 80), valueAt(slope, 61, 81), valueAt(slope, 62, 80)], [-9999, -9999, 0])
  const { result } = await run([raster], { name: 'terrain', measure: 'aspect' })
  assert.equal(result.statistics[0]!.valid_percent, 0)
})

test('the heights of rows are read once, whatever the height of the blocks', async () => {
  const raster = await make({ value: hills })
  const whole = await createProcessInput([raster], { name: 'terrain', measure: 'slope' })
  const all = await whole.readRows(0, HEIGHT)
  const parts = await createProcessInput([raster], { name: 'terrain', measure: 'slope' })
  for (let top = 0; top < HEIGHT; top += 37) {
    const rows = Math.min(37, HEIGHT - top)
    const part = await parts.readRows(top, rows)
    assert.deepEqual([...part.data], [...all.data.subarray(top * WIDTH, (top + rows) * WIDTH)])
  }
})

test('a mask removes classes and bits, and the nearest pixel of another grid counts', async () => {
  const raster = await make({ nodata: 0, value: (x, y) => 100 + x + y })
  const classAt = (x: number, y: number): number => (x + 2 * y) % 12
  const classes = await make({ type: 'uint8', value: classAt })
  const byClass = (await run([raster, classes], { name: 'mask', band: 0, classes: [3, 8], bits: [] })).pixels
  const byBit = (await run([raster, classes], { name: 'mask', band: 0, classes: [], bits: [1] })).pixels
  // Twice as fine: pixel (x, y) of the image has its centre at the corner of four.
  const fine = await make({ type: 'uint8', affine: [500_000, 5, 0, 5_000_000, 0, -5], value: (x) => (x < 100 ? 4 : 5) })
  const byFine = (await run([raster, fine], { name: 'mask', band: 0, classes: [4], bits: [] })).pixels
  const own = (x: number, y: number): number => 100 + x + y
  const expectEvery = ({ data }: PixelRows, expected: (x: number, y: number) => number): void =>
    assert.deepEqual(
      placesWhere((x, y) => data[y * WIDTH + x] !== expected(x, y)),
      [],
    )
  expectEvery(byClass, (x, y) => ([3, 8].includes(classAt(x, y)) ? 0 : own(x, y)))
  expectEvery(byBit, (x, y) => ((classAt(x, y) & 2) !== 0 ? 0 : own(x, y)))
  // Pixels outside the classification are kept.
  expectEvery(byFine, (x, y) => (x < 50 && y < HEIGHT / 2 ? 0 : own(x, y)))
})

test('a sieve merges small areas into the largest one beside them, through small ones', async () => {
  const rows = ['11111222', '11311222', '11111255', '44111255', '46111222']
  const value = (x: number, y: number): number => Number(rows[y]?.[x] ?? (x < 100 ? 1 : 0))
  const raster = await make({ type: 'uint8', nodata: 0, value })
  const { pixels } = await run([raster], { name: 'sieve', band: 0, min_pixels: 5, connectedness: 4 })
  const lines = rows.map((_, y) => Array.from({ length: 8 }, (_at, x) => pixels.data[y * WIDTH + x]).join(''))
  // 3 lies in 1; 5 (four pixels) beside 2 and 1, of which 1 is larger; 6 and 4 beside 1.
  assert.deepEqual(lines, ['11111222', '11111222', '11111211', '11111211', '11111222'])
  assert.equal(pixels.data[120], 0)
})

test('overviews of a sieve have classes that exist', async () => {
  const raster = await make({ type: 'uint8', value: (x) => (x % 3 === 0 ? 1 : 9) })
  const path = join(folder, 'overviews.tif')
  const sieve = { name: 'sieve', band: 0, min_pixels: 5, connectedness: 4 } as const
  await runProcessToCog([raster], { path, process: sieve, block: 128 })
  const result = await open(path)
  const { width, height } = result.levels[1]!
  const { data } = await readPixelInterleavedWindow(result, { level: 1, window: [0, 0, width, height] })
  assert.deepEqual(new Set(data), new Set([1, 9]))
})

test('a sieve follows a long row of small areas once', async () => {
  const [width, height] = [8, 20_000]
  // Every row is an area, and leads to the one above it, up to the only area that is large.
  const raster = await make({ type: 'uint8', width, height, value: (_, y) => (y < 200 ? 3 : 1 + (y % 2)) })
  const began = process.cpuUsage()
  const { data } = await createSieveInput(raster, { min_pixels: 1000 }).readRows(0, height)
  // Time of the processor, which does not depend on what else the machine does; walking each way by itself takes 40 s.
  const cpu_ms = process.cpuUsage(began).user / 1000
  assert.ok(data.every((value) => value === 3))
  assert.ok(cpu_ms < 5000, `${cpu_ms} ms`)
})

test('a sieve ends when it is cancelled, in each of its passes', async () => {
  const raster = await make({ type: 'uint8', value: (x, y) => 1 + ((x * x + y * y) % 4) })
  const options = { band: 0, min_pixels: 4, connectedness: 8 } as const
  /** A signal that aborts when it has been read more than `most` times; signals of workers are polled as well. */
  const createSignal = (most: number) => {
    let asked = 0
    const signal = Object.defineProperty({}, 'aborted', { get: () => ++asked > most }) as AbortSignal
    return { signal, countAsked: () => asked }
  }
  const sieve = (signal?: AbortSignal) => createSieveInput(raster, { ...options, signal }).readRows(0, HEIGHT)
  // After this first read, all others request the cached blocks in the same way.
  await sieve()
  const reading = createSignal(Infinity)
  await createRowReader(raster, [0], [0, 0, WIDTH, HEIGHT], reading.signal)(0, HEIGHT)
  const whole = createSignal(Infinity)
  await sieve(whole.signal)
  const passes = 5
  assert.equal(whole.countAsked() - reading.countAsked(), passes)
  for (let pass = 0; pass < passes; pass++)
    await assert.rejects(sieve(createSignal(reading.countAsked() + pass).signal), { kind: 'cancelled' })
})

test('a median composite takes the middle of the valid pixels', async () => {
  const values = [3, 10, 7, 200]
  const rasters: Raster[] = []
  for (const [index, value] of values.entries())
    rasters.push(await make({ nodata: 0, value: (x) => (x < 20 * index ? 0 : value) }))
  const { pixels } = await run(rasters, { name: 'mosaic', pixelSelection: 'median' })
  const medians = [3, 7, 7, 9]
  for (const [index, expected] of medians.entries()) assert.equal(pixels.data[WIDTH + 20 * index + 5], expected)
})

test('an impossible image is refused before pixels are read', async () => {
  const raster = await make({ value: hills })
  const floats = await make({ type: 'float32', value: hills })
  const refused: readonly (readonly [RasterProcess, readonly Raster[], string])[] = [
    [{ name: 'sieve', band: 0, min_pixels: 4, connectedness: 4 }, [floats], 'request'],
    [{ name: 'mask', band: 3, classes: [1], bits: [] }, [raster, raster], 'request'],
    [{ name: 'terrain', measure: 'slope', z_factor: -1 }, [raster], 'request'],
    [{ name: 'terrain', measure: 'slope' }, [{ ...raster, georeferenced: false }], 'no_georeference'],
    [{ name: 'expression', expression: 'b9 + 1', bands: {}, label: 'x', scaled: true }, [raster], 'expression'],
  ]
  for (const [process, rasters, kind] of refused) await assert.rejects(createProcessInput(rasters, process), { kind })
  const input = await createProcessInput([raster], { name: 'copy' })
  assert.ok(estimateProcessImageMemory([raster], { name: 'copy' }, input) < 768 * 1024 * 1024)
})

test('the memory of a job counts the cached rows of tall blocks, and the largest block', async () => {
  const raster = await make({ value: hills })
  const input = await createProcessInput([raster], { name: 'copy' })
  /** The same headers, of a file with other blocks. */
  const memoryOf = (width: number, height: number, block: readonly [number, number]): number => {
    const levels = [{ ...raster.levels[0]!, width, height, block }]
    return estimateProcessImageMemory([{ ...raster, width, height, levels }], { name: 'copy' }, input)
  }
  const sampleBytes = 2
  const few = memoryOf(2000, 8000, [2000, 1])
  const tall = memoryOf(2000, 8000, [2000, 8000])
  assert.equal(tall - few, (8000 - 1) * 2000 * sampleBytes * 2)
  // A row of blocks that is too large to be cached.
  const wide = memoryOf(50_000, 4000, [512, 4000])
  assert.equal(wide - few, 134_217_728 + 512 * 4000 * sampleBytes - 2000 * sampleBytes * 2)
})

test('the memory of a sieve counts the band twice, its mask, and four numbers a pixel', async () => {
  const sieve = { name: 'sieve', band: 0, min_pixels: 4, connectedness: 4 } as const
  for (const [type, pixel_bytes] of [
    ['uint8', 19],
    ['int32', 25],
  ] as const) {
    const raster = await make({ type, value: hills })
    const [input, copy] = [
      await createProcessInput([raster], sieve),
      await createProcessInput([raster], { name: 'copy' }),
    ]
    const own =
      estimateProcessImageMemory([raster], sieve, input) - estimateProcessImageMemory([raster], { name: 'copy' }, copy)
    assert.equal(own, WIDTH * HEIGHT * pixel_bytes)
  }
})

test('of neighbours of one size a small area joins the one that gdal_sieve meets first: above, then to the left', async () => {
  const image = [2, 1, 1, 2, 5, 1, 2, 4, 4]
  for (const connectedness of [4, 8] as const) {
    const raster = await make({ type: 'uint8', width: 3, height: 3, value: (x, y) => image[3 * y + x]! })
    const { pixels } = await run([raster], { name: 'sieve', band: 0, min_pixels: 2, connectedness })
    assert.deepEqual(Array.from(pixels.data), [2, 1, 1, 2, 1, 1, 2, 4, 4])
  }
})
