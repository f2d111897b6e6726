import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { applyAffine } from '@swath/geo/affine.ts'
import type { AreaGeometry, Polygon, Position } from '@swath/geo/geojson.ts'
import { computeRasterFootprint } from '../../formats/crs/crs.ts'
import { RasterFailure } from '../../failures.ts'
import type { RasterFailureKind } from '../../failures.ts'
import { parseExpression } from '../expression/expression.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import { openRaster } from '../../formats/open-raster.ts'
import type { Raster, RasterByteSource } from '../../types.ts'
import { computePixelCoverage } from '../areas/coverage.ts'
import { buildAreaEdges } from '../areas/edges.ts'
import type { MeasuredBandStatistics } from './measures.ts'
import { computeRingAreaInPixels, toOutlineRings } from '../areas/outline.ts'
import type { OutlineRing } from '../areas/outline.ts'
import { computeRasterStatistics } from './raster-statistics.ts'
import { findPixelSpansOfRow, startAreaRowScan } from '../areas/row-spans.ts'
import { computeStatisticsOfAreas, computeZonalStatistics } from './zonal-statistics.ts'

const fixtures = new URL('../../../../../fixtures/', import.meta.url)

test('an area around the raster measures all of it', async () => {
  for (const file of ['rasters/scenes/bolzano.tif', 'rasters/scenes/surface.tif', 'measures/tilted-u16.tif']) {
    const raster = await openFixture(file)
    const { bands } = await computeRasterStatistics(raster)
    const around = onGrid(raster, [-9, -9, 2000, 2000])
    assert.deepEqual(
      (await computeZonalStatistics(raster, around, rasterCoordinates)).bands.map(rounded),
      bands.map(rounded),
    )
    const wide: Polygon = { type: 'Polygon', coordinates: [box(-179, -80, 179, 80)] }
    assert.deepEqual((await computeZonalStatistics(raster, wide)).bands.map(rounded), bands.map(rounded))
    const covered = await computeZonalStatistics(raster, wide, { coverage: true, percentiles: [0, 100] })
    assert.equal(covered.bands[0]!.count, bands[0]!.count)
    assert.deepEqual(covered.bands[0]!.percentiles, [bands[0]!.minimum, bands[0]!.maximum])
  }
})

test('a box of whole pixels is the same as a window', async () => {
  const raster = await openFixture('rasters/scenes/naip-nd.tif')
  const window = [31, 44, 200, 131] as const
  const request = { classes: true, histogram: { bins: 5 }, percentiles: [5, 50] }
  const found = await computeZonalStatistics(raster, onGrid(raster, window), { ...rasterCoordinates, ...request })
  assert.deepEqual(found.window, window)
  assert.deepEqual(found.bands, (await computeRasterStatistics(raster, { ...request, window })).bands)
  const small = await computeZonalStatistics(raster, onGrid(raster, window), {
    ...rasterCoordinates,
    ...request,
    budget_bytes: 600_000,
  })
  assert.deepEqual(small.bands, found.bands)
})

test('the classes of all areas of a request are limited together', async () => {
  const raster = await openFixture('measures/tilted-u16.tif')
  const area = onGrid(raster, [-9, -9, 2000, 2000])
  const measure = (areas: number) =>
    computeStatisticsOfAreas(raster, {
      ...rasterCoordinates,
      classes: true,
      areas: Array.from({ length: areas }, () => toOutlineRings(area)),
    })
  const [one] = await measure(1)
  const most = Math.floor(65_536 / one!.bands.reduce((sum, { classes }) => sum + classes!.length, 0))
  assert.equal((await measure(most)).length, most)
  await fails('request', measure(most + 1))
})

test('a box along the grid counts the covered part of pixels whose centres it does not hold', async () => {
  const raster = await openFixture('rasters/scenes/naip-nd.tif')
  const area = onGrid(raster, [31.4, 44.25, 35, 46.25])
  const { count } = (await computeZonalStatistics(raster, area, { ...rasterCoordinates, coverage: true })).bands[0]!
  // Columns with 0.6, 1, 1 and 1 of their width, rows with 0.75, 1 and 0.25 of their height.
  assert.ok(Math.abs(count - 7.2) < 1e-9, String(count))
})

test('the footprint in degrees holds nearly every pixel', async () => {
  const raster = await openFixture('rasters/scenes/exe-27700.tif')
  const found = await computeZonalStatistics(raster, computeRasterFootprint(raster, 32) as AreaGeometry)
  const whole = raster.width * raster.height
  assert.ok(found.bands[0]!.count / found.bands[0]!.valid_percent / (whole / 100) > 0.99)
})

test('levels, approximate answers and formulas are measured as they are over rasters', async () => {
  const raster = await openFixture('rasters/scenes/naip-nd.tif')
  const area = onGrid(raster, [40, 40, 240, 240])
  const level = await computeZonalStatistics(raster, area, { ...rasterCoordinates, level: 1 })
  const { width, height } = raster.levels[1]!
  assert.deepEqual(level.window, [
    Math.floor((40 * width) / raster.width),
    Math.floor((40 * height) / raster.height),
    Math.ceil((240 * width) / raster.width),
    Math.ceil((240 * height) / raster.height),
  ])
  const approximate = await computeZonalStatistics(raster, area, { ...rasterCoordinates, approximate_pixels: 9000 })
  assert.deepEqual([approximate.level, approximate.approximate], [1, true])
  assert.deepEqual(approximate.bands, level.bands)
  assert.equal(
    (await computeZonalStatistics(raster, area, { ...rasterCoordinates, approximate_pixels: 39_000 })).approximate,
    false,
  )
  const { block, storage } = raster.levels[1]!
  const max_decoded_bytes = block[0] * block[1] * storage.columns * storage.rows * storage.samplesPerPixel
  const whole = onGrid(raster, [1, 1, raster.width, raster.height])
  const cheap = await computeZonalStatistics(raster, whole, { ...rasterCoordinates, max_decoded_bytes })
  assert.deepEqual([cheap.level, cheap.approximate], [1, true])
  const expression = parseExpression('b4 / (b1 + 1)')
  const formula = await computeZonalStatistics(raster, area, { ...rasterCoordinates, expression })
  assert.deepEqual(
    formula.bands,
    (await computeRasterStatistics(raster, { expression, window: [40, 40, 240, 240] })).bands,
  )
})

test('only blocks that the area touches are read', async () => {
  const bytes = readFileSync(new URL('rasters/scenes/naip-nd.tif', fixtures))
  const memory = createMemorySource(bytes, 'counted')
  let read = 0
  const source: RasterByteSource = {
    id: memory.id,
    size: memory.size,
    close: () => memory.close(),
    async read(offset, length, signal) {
      read += length
      return memory.read(offset, length, signal)
    },
  }
  const raster = await openRaster(source)
  const opening = read
  await computeZonalStatistics(raster, onGrid(raster, [10, 10, 100, 100]), rasterCoordinates)
  // One block of nine.
  assert.ok(read - opening < bytes.length / 5, `${read - opening} of ${bytes.length} bytes`)
})

test('parts of pixels add up to the area, and are halves where the border cuts in halves', () => {
  const triangle: OutlineRing = { points: [0, 0, 4, 0, 0, 4], isHole: false }
  const parts = computePixelCoverage(buildAreaEdges([triangle]), [0, 1, 2], [0, 0, 4, 4])
  assert.deepEqual([...parts], [1, 1, 1, 0.5, 1, 1, 0.5, 0, 1, 0.5, 0, 0, 0.5, 0, 0, 0])
  const ring = Array.from({ length: 40 }, (_, at) => {
    const radius = at % 2 === 0 ? 30 : 11
    return [33.3 + radius * Math.cos(at * 0.157), 31.7 + radius * Math.sin(at * 0.157)]
  }).flat()
  const hole = [30.1, 30.2, 36.3, 31.1, 33.2, 35.9]
  for (const turned of [ring, ring.toReversed().map((_, at, all) => all[at % 2 === 0 ? at + 1 : at - 1]!)]) {
    const rings = [
      { points: turned, isHole: false },
      { points: hole, isHole: true },
    ]
    const edges = buildAreaEdges(rings)
    const among = [...edges.x0.keys()]
    const whole = computePixelCoverage(edges, among, [0, 0, 70, 70])
    assert.ok(Math.abs(whole.reduce((sum, part) => sum + part) - computeRingAreaInPixels(rings)) < 1e-9)
    // The coverage of a window is equal to that part of the whole.
    const part = computePixelCoverage(edges, among, [20, 17, 41, 50])
    for (const [at, value] of part.entries()) {
      const same = whole[(17 + Math.floor(at / 21)) * 70 + 20 + (at % 21)]!
      assert.ok(Math.abs(value - same) < 1e-9)
    }
  }
})

test('centres count by the even-odd rule: overlaps of rings are outside', () => {
  const square = (x: number, size: number): OutlineRing => ({
    points: [x, 0, x + size, 0, x + size, size, x, size],
    isHole: false,
  })
  const walk = startAreaRowScan(buildAreaEdges([square(0, 6), square(4, 6)]), 100)
  assert.deepEqual(findPixelSpansOfRow(walk, 0), [0, 4, 6, 10])
  assert.deepEqual(findPixelSpansOfRow(walk, 5), [0, 4, 6, 10])
  assert.deepEqual(findPixelSpansOfRow(walk, 6), [])
})

test('an area between centres has no pixel but parts of some', async () => {
  const raster = await openFixture('measures/tilted-u16.tif')
  const area = onGrid(raster, [20.6, 20.6, 21.4, 21.4])
  const none = await computeZonalStatistics(raster, area, rasterCoordinates)
  assert.deepEqual([none.bands[0]!.count, none.bands[0]!.valid_percent, none.bands[0]!.mean], [0, 0, NaN])
  const { count } = (await computeZonalStatistics(raster, area, { ...rasterCoordinates, coverage: true })).bands[0]!
  assert.ok(Math.abs(count - 0.64) < 1e-6)
})

test('what cannot be measured is a failure with a name', async () => {
  const raster = await openFixture('rasters/scenes/surface.tif')
  const area: Polygon = { type: 'Polygon', coordinates: [box(0, 0, 1, 1)] }
  await fails('outside', computeZonalStatistics(raster, area))
  await fails('outside', computeZonalStatistics(raster, area, rasterCoordinates))
  await fails('request', computeZonalStatistics(raster, { type: 'Point', coordinates: [0, 0] } as unknown as Polygon))
  await fails('request', computeZonalStatistics(raster, { type: 'Polygon', coordinates: [box(NaN, 0, 1, 1)] }))
  await fails('request', computeZonalStatistics(raster, area, { bands: [7] }))
  await fails('request', computeZonalStatistics(raster, area, { level: 7 }))
  await fails('no_georeference', computeZonalStatistics({ ...raster, georeferenced: false }, area))
})

/** Sums depend on their order in the last digits. */
function rounded(band: MeasuredBandStatistics): MeasuredBandStatistics {
  const round = (value: number): number => Number(value.toPrecision(12))
  return { ...band, sum: round(band.sum), mean: round(band.mean), stddev: round(band.stddev) }
}

const rasterCoordinates = { coordinates: 'raster' } as const

function box(x0: number, y0: number, x1: number, y1: number): Position[] {
  return [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
    [x0, y0],
  ]
}

/** A box of pixels in the units of the raster. */
function onGrid(raster: Raster, [x0, y0, x1, y1]: readonly [number, number, number, number]): Polygon {
  return { type: 'Polygon', coordinates: [box(x0, y0, x1, y1).map(([x, y]) => applyAffine(raster.affine, x, y))] }
}

async function fails(kind: RasterFailureKind, work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => error instanceof RasterFailure && error.kind === kind)
}

async function openFixture(name: string): Promise<Raster> {
  return openRaster(createMemorySource(readFileSync(new URL(name, fixtures)), name))
}
