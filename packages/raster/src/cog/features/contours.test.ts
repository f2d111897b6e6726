import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { crsFromEpsg } from '../../formats/crs/from-code.ts'
import { createCrsTransform } from '../../formats/crs/transform.ts'
import { fileSource } from '../../io/source/file.ts'
import { openRaster } from '../../formats/open-raster.ts'
import type { Raster } from '../../types.ts'
import { writeCog } from '../writer/cog.ts'
import { createContourTracer } from './contour-lines.ts'
import type { ContourLine } from './line-joiner.ts'
import { processToFeatures } from './vector-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'contours-'))
const opened: Raster[] = []
after(async () => {
  for (const raster of opened) await raster.source.close()
  rmSync(folder, { recursive: true })
})

/** The lines of a surface of so many columns and rows. */
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
    assert.equal(positions.length, 4)
    const ys = positions.map(([, y]) => y).toSorted()
    assert.deepEqual(ys, [0.5, 1.5, 2.5, 3.5])
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
  const lines = trace(40, 30, valueAt, 2, 0.005)
  let segments = 0
  for (const { level, positions } of lines) {
    segments += positions.length - 1
    for (const [x, y] of positions) {
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
      const around = [valueAt(x, y), valueAt(x + 1, y), valueAt(x + 1, y + 1), valueAt(x, y + 1)]
      if (around.some(Number.isNaN)) continue
      for (let level = 0.005; level < 10; level += 2) {
        const isAbove = around.map((value) => value >= level)
        expected += isAbove.filter((above, at) => above !== isAbove[(at + 1) % 4]).length / 2
      }
    }
  assert.equal(segments, expected)
})

test('contours of a file are features in degrees', async () => {
  const crs = await crsFromEpsg(32_633)
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
  const raster = await openRaster(await fileSource(path))
  opened.push(raster)
  const request = { path: join(folder, 'lines.geojson'), progress: new Int32Array(new SharedArrayBuffer(4)) }
  const process = { name: 'contours', band: 0, interval: 10, base: 5 } as const
  assert.equal(await processToFeatures([raster], { ...request, process }), 4)
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
    await assert.rejects(processToFeatures([raster], { ...request, process: { ...process, ...bad } }), {
      kind: 'request',
    })
})
