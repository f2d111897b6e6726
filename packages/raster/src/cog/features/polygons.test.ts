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
import { createPolygonTracer, type PixelAreaFeature } from './polygon-tracer.ts'
import { computePixelRingArea } from './split-ring.ts'
import { runVectorProcess } from './vector-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'polygons-'))
const opened: Raster[] = []
after(async () => {
  for (const raster of opened) await raster.source.close()
  rmSync(folder, { recursive: true })
})

const none = Number.NaN

/** The features of an image, row by row. */
function trace(rows: readonly (readonly number[])[], connectedness: 4 | 8, max_vertices = 1e6): PixelAreaFeature[] {
  const features: PixelAreaFeature[] = []
  const options = { connectedness, max_vertices }
  const tracer = createPolygonTracer(rows[0]!.length, options, (feature) => features.push(feature))
  for (const row of rows) tracer.add(Float64Array.from(row))
  tracer.finish()
  return features
}

/** The image that polygons cover, by the even-odd rule at the centres of pixels; each pixel is in one feature. */
function rasterize(features: readonly PixelAreaFeature[], width: number, height: number): number[][] {
  const rows = Array.from({ length: height }, () => Array.from({ length: width }, () => none))
  for (const { value, polygons } of features)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const crossings = polygons.flat().flatMap((ring) =>
          ring.filter((from, at) => {
            const to = ring[(at + 1) % ring.length]!
            return from.x === to.x && from.x > x && Math.min(from.y, to.y) <= y && Math.max(from.y, to.y) > y
          }),
        )
        if (crossings.length % 2 === 0) continue
        assert.ok(Number.isNaN(rows[y]![x]!), 'no two features cover a pixel')
        rows[y]![x] = value
      }
  return rows
}

/** The number of connected areas, by filling them. */
function countAreas(rows: readonly (readonly number[])[], connectedness: 4 | 8): number {
  const seen = new Set<string>()
  let areas = 0
  for (let y = 0; y < rows.length; y++)
    for (let x = 0; x < rows[0]!.length; x++) {
      if (Number.isNaN(rows[y]![x]!) || seen.has(`${x} ${y}`)) continue
      areas++
      const open: [number, number][] = [[x, y]]
      seen.add(`${x} ${y}`)
      for (let [ox, oy] = open.pop()!; ; [ox, oy] = open.pop()!) {
        for (let dy = -1; dy <= 1; dy++)
          for (let dx = -1; dx <= 1; dx++) {
            if (connectedness === 4 && dx !== 0 && dy !== 0) continue
            const key = `${ox + dx} ${oy + dy}`
            if (seen.has(key) || rows[oy + dy]?.[ox + dx] !== rows[y]![x]) continue
            seen.add(key)
            open.push([ox + dx, oy + dy])
          }
        if (open.length === 0) break
      }
    }
  return areas
}

function assertValidRings(features: readonly PixelAreaFeature[]): void {
  for (const polygon of features.flatMap(({ polygons }) => polygons))
    for (const [at, ring] of polygon.entries()) {
      assert.ok(
        at === 0 ? computePixelRingArea(ring) < 0 : computePixelRingArea(ring) > 0,
        'the first ring is the outer one',
      )
      assert.equal(new Set(ring.map(({ x, y }) => `${x} ${y}`)).size, ring.length, 'a ring meets no corner twice')
      for (const [place, { x, y }] of ring.entries()) {
        const next = ring[(place + 1) % ring.length]!
        const afterNext = ring[(place + 2) % ring.length]!
        assert.ok((x === next.x) !== (y === next.y), 'sides run along pixels')
        assert.ok((x === next.x) !== (next.x === afterNext.x), 'a ring has no corner on a straight side')
      }
    }
}

test('an area around another one has a hole with the corners of the other one', () => {
  const features = trace(
    [
      [1, 1, 1],
      [1, 2, 1],
      [1, 1, 1],
    ],
    4,
  )
  assert.deepEqual(
    features.map(({ value, polygons }) => [value, polygons.map((polygon) => polygon.length)]),
    [
      [2, [1]],
      [1, [2]],
    ],
  )
  assert.equal(computePixelRingArea(features[0]!.polygons[0]![0]!), -2)
  assert.equal(computePixelRingArea(features[1]!.polygons[0]![1]!), 2)
})

test('an area that touches itself at a corner has a hole there, not a ring that meets the corner twice', () => {
  const features = trace(
    [
      [1, 1, 1],
      [1, none, 1],
      [1, 1, none],
    ],
    4,
  )
  assertValidRings(features)
  assert.deepEqual(
    features[0]!.polygons[0]!.map((ring) => computePixelRingArea(ring)),
    [-16, 2],
  )
})

test('areas that touch at a corner are one feature of two polygons with 8, two features with 4', () => {
  const image = [
    [1, none],
    [none, 1],
  ]
  assert.deepEqual(
    [trace(image, 4), trace(image, 8)].map((features) => features.map(({ polygons }) => polygons.length)),
    [[1, 1], [2]],
  )
})

test('features of noise are its connected areas, with valid rings, and cover each pixel with its value', () => {
  let state = 11
  const random = (): number => (state = (state * 48_271) % 2_147_483_647)
  for (const [width, height, classes] of [
    [1, 9, 2],
    [17, 1, 2],
    [23, 19, 2],
    [16, 20, 4],
  ] as const) {
    const image = Array.from({ length: height }, () =>
      Array.from({ length: width }, () => (random() % 13 === 0 ? none : random() % classes)),
    )
    for (const connectedness of [4, 8] as const) {
      const features = trace(image, connectedness)
      assert.equal(features.length, countAreas(image, connectedness))
      assertValidRings(features)
      assert.deepEqual(rasterize(features, width, height), image)
    }
  }
})

test('more corners of open areas than allowed are refused', () => {
  const row = Array.from({ length: 100 }, (_, x) => x % 2)
  assert.throws(() => trace([row, row, row], 4, 100), { kind: 'budget' })
})

test('the areas of a file are polygons in degrees with the stored samples, whose long sides have positions on the way', async () => {
  const crs = await createCrsFromEpsg(32_633)
  const [width, height] = [200, 30]
  const { path } = await writeCog(
    {
      width,
      height,
      sampleType: 'int16',
      bands: [{ name: 'classes', colour: 'gray', scale: 0.5, offset: 100 }],
      nodata: -1,
      masked: false,
      georeferencing: { affine: [500_000, 10, 0, 5_000_000, 0, -10], crs, geoTags: null },
      readRows: async (top, rows) => {
        const valueAt = (x: number, y: number): number => (x < 20 ? -1 : y < 10 ? 7 : 8)
        const data = Int16Array.from({ length: width * rows }, (_, at) =>
          valueAt(at % width, top + Math.floor(at / width)),
        )
        return { width, rows, bands: 1, data, mask: null }
      },
    },
    join(folder, 'classes.tif'),
    { block: 128 },
  )
  const raster = await openRaster(await openFileSource(path))
  opened.push(raster)
  const request = { path: join(folder, 'areas.geojson'), progress: new Int32Array(new SharedArrayBuffer(4)) }
  const process = { name: 'vectorize', band: 0, connectedness: 4 } as const
  assert.equal(await runVectorProcess([raster], { ...request, process }), 2)
  assert.equal(Atomics.load(request.progress, 0), 1000)
  const { features } = JSON.parse(readFileSync(request.path, 'utf8')) as {
    features: { properties: object; geometry: { type: string; coordinates: [number, number][][] } }[]
  }
  assert.deepEqual(
    features.map(({ properties, geometry }) => [properties, geometry.type, geometry.coordinates.length]),
    [
      [{ value: 7 }, 'Polygon', 1],
      [{ value: 8 }, 'Polygon', 1],
    ],
  )
  const { forward } = createCrsTransform(crs)
  const ring = features[0]!.geometry.coordinates[0]!
  assert.deepEqual(ring[0], ring.at(-1))
  const columns = ring.slice(1).map(([longitude, latitude]) => {
    const [x, y] = forward(longitude, latitude)
    return [(x - 500_000) / 10, (5_000_000 - y) / 10].map((value) => Math.round(value * 1000) / 1000)
  })
  assert.equal(new Set(columns.map(String)).size, columns.length)
  for (const corner of ['64,0', '128,0', '192,0', '64,10', '128,10', '192,10', '20,0', '200,0', '200,10', '20,10'])
    assert.ok(columns.map(String).includes(corner), corner)
  await assert.rejects(runVectorProcess([raster], { ...request, process: { ...process, band: 1 } }), {
    kind: 'request',
  })
})
