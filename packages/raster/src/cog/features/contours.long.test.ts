import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createCrsFromEpsg } from '../../formats/crs/from-code.ts'
import { createCrsTransform } from '../../formats/crs/transform.ts'
import { openFileSource } from '../../io/source/file.ts'
import { openRaster } from '../../formats/open-raster.ts'
import type { Raster } from '../../types.ts'
import { writeCog } from '../writer/cog.ts'
import { RasterFailure } from '../../failures.ts'
import { TooManyContours } from './contour-crossings.ts'
import { measureSurfaceRange, roundUpToNiceNumber, suggestContourInterval } from './suggest-interval.ts'
import { createContourTracer } from './contour-lines.ts'
import type { ContourLine } from './line-joiner.ts'
import { runVectorProcess } from './vector-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'contours-'))
const opened: Raster[] = []
after(async () => {
  for (const raster of opened) await raster.source.close()
  rmSync(folder, { recursive: true })
})

/** The contour lines of a surface of `width` × `height` pixels. */
function trace(width: number, height: number, valueAt: (x: number, y: number) => number, interval: number, base = 0) {
  const lines: ContourLine[] = []
  const tracer = createContourTracer(width, { interval, base }, (line) => lines.push(line))
  for (let y = 0; y < height; y++) tracer.add(Float64Array.from({ length: width }, (_, x) => valueAt(x, y)))
  tracer.finish()
  return lines
}

const isClosed = ({ positions }: ContourLine): boolean => {
  const [first, last] = [positions[0]!, positions.at(-1)!]
  return first[0] === last[0] && first[1] === last[1]
}

test('a slope has one straight line for each level, also below the base', () => {
  const lines = trace(5, 4, (x) => 10 * x - 15, 10, 100)
  assert.deepEqual(
    lines.map(({ level }) => level).toSorted((a, b) => a - b),
    [-10, 0, 10, 20],
  )
  for (const { level, positions } of lines) {
    const ys = positions.map(([, y]) => y).toSorted()
    assert.deepEqual(ys, [0, 0.5, 1.5, 2.5, 3.5, 4])
    for (const [x] of positions) assert.ok(Math.abs(x - ((level + 15) / 10 + 0.5)) < 1e-12)
  }
})

test('the lines of a hill are closed, one inside the other, and lie on their level', () => {
  const height = (x: number, y: number): number => 100 - (x - 10) ** 2 - (y - 9) ** 2
  // Lower levels reach the sides.
  const lines = trace(21, 19, height, 20, 10).filter(({ level }) => level >= 30)
  assert.deepEqual(
    lines.map(({ level }) => level).toSorted((a, b) => a - b),
    [30, 50, 70, 90],
  )
  for (const line of lines) {
    assert.ok(isClosed(line))
    const radius = Math.sqrt(100 - line.level)
    // The chords of a parabola stay inside of it.
    for (const [x, y] of line.positions) assert.ok(Math.abs(Math.hypot(x - 10.5, y - 9.5) - radius) < 0.13)
  }
})

test('parts of a line that meet late are joined, whichever is longer', () => {
  // Two valleys that open at the top join below: one line down the first and up the second.
  const lines = trace(9, 6, (x, y) => (y === 5 ? 1 : x === 2 || x === 6 ? 0 : 1), 0.5, 0.5)
  const open = lines.filter(({ level }) => level === 0.5)
  assert.equal(open.length, 2)
  const comb = trace(9, 6, (x, y) => (y === 4 || x === 2 || x === 6 ? (y === 5 ? 1 : 0) : 1), 10, 0.5)
  assert.equal(comb.reduce((sum, { positions }) => sum + positions.length, 0) > 20, true)
  for (const { positions } of comb)
    for (let at = 1; at < positions.length; at++) {
      const [[x0, y0], [x1, y1]] = [positions[at - 1]!, positions[at]!]
      assert.ok(Math.hypot(x1 - x0, y1 - y0) <= Math.SQRT2, 'neighbours are in one square')
    }
})

test('every crossing of an edge is in one line, on noise with holes', () => {
  let state = 7
  const noise = Array.from({ length: 40 * 30 }, () => {
    state = (state * 48_271) % 2_147_483_647
    return state % 11 === 0 ? Number.NaN : (state % 1000) / 100
  })
  const valueAt = (x: number, y: number): number => noise[y * 40 + x]!
  const lines = trace(40, 30, valueAt, 2, 0.0031)
  const around = (x: number, y: number): number[] => [
    valueAt(x, y),
    valueAt(x + 1, y),
    valueAt(x + 1, y + 1),
    valueAt(x, y + 1),
  ]
  let segments = 0
  for (const { level, positions } of lines)
    for (const [at, end] of positions.slice(1).entries()) {
      const start = positions[at]!
      const [left, top] = [Math.floor((start[0] + end[0]) / 2 - 0.5), Math.floor((start[1] + end[1]) / 2 - 0.5)]
      const isWhole = left >= 0 && top >= 0 && left + 1 < 40 && top + 1 < 30 && !around(left, top).some(Number.isNaN)
      if (!isWhole) continue
      segments++
      for (const [x, y] of [start, end]) {
        const [column, row] = [x - 0.5, y - 0.5]
        const [x0, y0] = [Math.floor(column), Math.floor(row)]
        const isAcross = row === y0
        const [from, to] = [valueAt(x0, y0), isAcross ? valueAt(x0 + 1, y0) : valueAt(x0, y0 + 1)]
        const part = isAcross ? column - x0 : row - y0
        assert.ok(Math.abs(from + (to - from) * part - level) < 1e-9)
      }
    }
  let expected = 0
  for (let y = 0; y + 1 < 30; y++)
    for (let x = 0; x + 1 < 40; x++) {
      const corners = around(x, y)
      if (corners.some(Number.isNaN)) continue
      for (let level = 0.0031; level < 10; level += 2) {
        const isAbove = corners.map((value) => value >= level)
        expected += isAbove.filter((above, at) => above !== isAbove[(at + 1) % 4]).length / 2
      }
    }
  assert.equal(segments, expected)
})

test('contours of a file are features in degrees', async () => {
  const crs = await createCrsFromEpsg(32_633)
  const [width, height] = [40, 30]
  const { path } = await writeCog(
    {
      width,
      height,
      sampleType: 'int16',
      bands: [{ name: 'height', colour: 'gray', scale: 0.5, offset: 100 }],
      nodata: -1,
      masked: false,
      georeferencing: { affine: [500_000, 10, 0, 5_000_000, 0, -10], crs, geoTags: null },
      readRows: async (_, rows) => {
        const data = Int16Array.from({ length: width * rows }, (_value, at) => 2 * (at % width))
        return { width, rows, bands: 1, data, mask: null }
      },
    },
    join(folder, 'slope.tif'),
    { block: 128 },
  )
  const raster = await openRaster(await openFileSource(path))
  opened.push(raster)
  const request = { path: join(folder, 'lines.geojson'), progress: new Int32Array(new SharedArrayBuffer(4)) }
  const process = { name: 'contours', band: 0, interval: 10, base: 5 } as const
  assert.equal(await runVectorProcess([raster], { ...request, process }), 4)
  assert.equal(Atomics.load(request.progress, 0), 1000)
  const { features } = JSON.parse(readFileSync(request.path, 'utf8')) as {
    features: { properties: { level: number }; geometry: { coordinates: [number, number][] } }[]
  }
  const { forward } = createCrsTransform(crs)
  for (const { properties, geometry } of features)
    for (const position of geometry.coordinates) {
      const [x] = forward(...position)
      assert.ok(Math.abs(x - (500_000 + 10 * (properties.level - 100 + 0.5))) < 0.01)
    }
  assert.deepEqual(
    features.map(({ properties }) => properties.level).toSorted((a, b) => a - b),
    [105, 115, 125, 135],
  )
  for (const bad of [{ interval: 0 }, { band: 1 }])
    await assert.rejects(runVectorProcess([raster], { ...request, process: { ...process, ...bad } }), {
      kind: 'request',
    })
})

/** A smooth surface of 40 × 40 pixels. */
async function openSmoothSurface(name: string): Promise<Raster> {
  const size = 40
  const data = Float32Array.from(
    { length: size * size },
    (_, at) => 100 * Math.sin((at % size) * 0.05) * Math.cos(Math.floor(at / size) * 0.05),
  )
  const path = join(folder, name)
  await writeCog(
    {
      width: size,
      height: size,
      sampleType: 'float32',
      bands: [{ name: 'height', colour: 'gray', scale: 1, offset: 0 }],
      nodata: null,
      masked: false,
      georeferencing: {
        affine: [500_000, 10, 0, 5_000_000, 0, -10],
        crs: await createCrsFromEpsg(32_632),
        geoTags: null,
      },
      readRows: async (top, rows) => ({
        width: size,
        rows,
        bands: 1,
        data: data.slice(top * size, (top + rows) * size),
        mask: null,
      }),
    },
    path,
  )
  const raster = await openRaster(await openFileSource(path))
  opened.push(raster)
  return raster
}

test('an interval with too many levels is refused before they are traced, and the named interval gives fewer', async () => {
  const raster = await openSmoothSurface('smooth.tif')
  const path = join(folder, 'smooth.geojson')
  const run = (interval: number, base = 0): Promise<number> =>
    runVectorProcess([raster], { path, process: { name: 'contours', band: 0, interval, base } })
  // The last two are below the precision of numbers of the size of the values, and of the base.
  for (const [interval, base] of [[1e-3], [1e-6], [1e-300], [1e-6, -1e9], [1e-9, 1e9]] as const) {
    const error = await run(interval, base).catch((failure: unknown) => failure)
    assert.ok(error instanceof RasterFailure && error.kind === 'budget', String(error))
    const named = Number(/an interval of (\S+) gives fewer/.exec(error.message)?.[1])
    assert.ok(named > interval, error.message)
    assert.ok((await run(named, base)) > 0, `${named}`)
  }
})

test('the interval that is named for noise gives fewer crossings than the limit', async () => {
  const limits = { max_levels: 1000, max_crossings: 20_000 }
  let seed = 7
  const rows = Array.from({ length: 60 }, () =>
    Float64Array.from({ length: 60 }, () => (seed = (seed * 48_271) % 2_147_483_647) % 256),
  )
  async function* pieces() {
    yield { rows }
  }
  const interval = suggestContourInterval(await measureSurfaceRange(pieces(), 0), limits)
  const traceAll = (levels: { interval: number; base: number }) => {
    const tracer = createContourTracer(60, levels, () => undefined, limits)
    for (const row of rows) tracer.add(row)
  }
  traceAll({ interval, base: 0 })
  assert.throws(() => traceAll({ interval: interval / 10, base: 0 }), TooManyContours)
  assert.deepEqual([0.11, 0.2, 3, 7, 99, 1e-7].map(roundUpToNiceNumber), [0.2, 0.2, 5, 10, 100, 1e-7])
})

test('the levels of a single square are limited, too', () => {
  const limits = { max_levels: 100, max_crossings: 1000 }
  const tracer = createContourTracer(2, { interval: 1, base: 0 }, () => assert.fail('nothing is traced'), limits)
  tracer.add(Float64Array.of(0, 0))
  assert.throws(() => tracer.add(Float64Array.of(1e9, 1e9)), TooManyContours)
})

test('lines far from the base are joined as those near it are', () => {
  const hill = (x: number, y: number): number => 100 - (x - 10) ** 2 - (y - 9) ** 2
  const [near, far] = [trace(21, 19, hill, 20, 10), trace(21, 19, hill, 20, 10 - 20 * 4e13)]
  assert.deepEqual(
    far.map(({ positions }) => positions.length),
    near.map(({ positions }) => positions.length),
  )
})
