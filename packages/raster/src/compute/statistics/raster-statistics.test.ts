import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { RasterFailure } from '../../failures.ts'
import type { RasterFailureKind } from '../../failures.ts'
import { evaluateExpression } from '../expression/evaluate.ts'
import { parseExpression } from '../expression/expression.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import { openRaster } from '../../formats/open-raster.ts'
import { readWindow } from '../window/read-window.ts'
import type { PixelBlock, Raster } from '../../types.ts'
import type { BandHistogram, HistogramOptions, MeasuredBandStatistics } from './measures.ts'
import { computeRasterStatistics } from './raster-statistics.ts'
import { computeBandStatistics } from './statistics.ts'

const fixtures = new URL('../../../../../fixtures/', import.meta.url)
const files = [
  'rasters/scenes/bolzano.tif',
  'rasters/scenes/naip-nd.tif',
  'rasters/scenes/surface.tif',
  'rasters/packings/u16-planar-strips.tif',
  'rasters/packings/u8-mask.tif',
  'rasters/packings/i32-big-endian.tif',
  'rasters/packings/f64-predictor3-big-endian.tif',
  'measures/tilted-u16.tif',
]

test('what is measured piece by piece is what the block read whole has', async () => {
  for (const file of files) {
    const raster = await openFixture(file)
    const window = [7, 5, raster.width - 9, raster.height - 3] as const
    const whole = computeBandStatistics(await readWindow(raster, { window }), raster.nodata)
    // The smallest budget that reading a block needs, so that there are many pieces and few values are stored.
    for (const budget_bytes of [undefined, 4 * blockBytes(raster)]) {
      const { bands } = await computeRasterStatistics(raster, { window, budget_bytes })
      for (const [at, band] of whole.entries()) {
        const found = bands[at]!
        assert.deepEqual([found.minimum, found.maximum], [band.minimum, band.maximum], file)
        assert.deepEqual(found.percentiles, [band.p2, band.p98], file)
        for (const name of ['mean', 'stddev', 'valid_percent'] as const) {
          assert.ok(Math.abs(found[name] - band[name]) <= 1e-9 * Math.abs(band[name]), `${file} ${name}`)
        }
      }
    }
  }
})

test('bands are returned in the requested order', async () => {
  const raster = await openFixture('rasters/scenes/naip-nd.tif')
  const { bands: all } = await computeRasterStatistics(raster)
  const { bands: some } = await computeRasterStatistics(raster, { bands: [2, 0, 2] })
  assert.deepEqual(some, [all[2], all[0], all[2]])
})

test('a formula is measured as the band that it makes', async () => {
  const raster = await openFixture('rasters/scenes/bolzano.tif')
  const expression = parseExpression('(nir - b1) / (nir + b1)')
  const found = await computeRasterStatistics(raster, { expression, names: { nir: 1 }, histogram: { bins: 7 } })
  const block = await readWindow(raster, { window: [0, 0, raster.width, raster.height] })
  const [wanted] = computeBandStatistics(
    evaluateExpression(expression, withoutMissing(block, raster.nodata), { nir: 1 }),
  )
  const [band] = found.bands
  assert.equal(band!.band, null)
  assert.deepEqual([band!.minimum, band!.maximum], [wanted!.minimum, wanted!.maximum])
  assert.deepEqual(band!.percentiles, [wanted!.p2, wanted!.p98])
  assert.ok(Math.abs(band!.mean - wanted!.mean) < 1e-9)
  assert.equal(
    band!.histogram!.counts.reduce((sum, count) => sum + count),
    band!.count,
  )
})

test('a formula takes scaled values on request, and no pixel that misses one of its bands', async () => {
  const raster = await openFixture('measures/scaled-i16.tif')
  const { bands } = await computeRasterStatistics(raster, { scaled: true })
  const formula = await computeRasterStatistics(raster, { scaled: true, expression: parseExpression('b1 + 0 * b2') })
  assert.equal(formula.bands[0]!.count, bands[0]!.count)
  assert.ok(bands[1]!.count > bands[0]!.count)
  assert.ok(Math.abs(formula.bands[0]!.mean - bands[0]!.mean) < 1e-6)
})

test('classes are the counts of each value', async () => {
  const raster = await openFixture('rasters/scenes/elkton-labels.tif')
  const { data } = await readWindow(raster, { window: [0, 0, raster.width, raster.height] })
  const { bands } = await computeRasterStatistics(raster, { classes: true })
  const classes = bands[0]!.classes!
  assert.equal(sumOf(classes.map(({ count }) => count)), bands[0]!.count)
  for (const { value, count } of classes) assert.equal(count, data.filter((sample) => sample === value).length)
  const wide = await openFixture('measures/extremes-i32.tif')
  const seven = (await computeRasterStatistics(wide, { classes: true })).bands[0]!.classes!.find(
    ({ value }) => value === 7,
  )
  assert.equal(seven!.count, 610)
})

test('a histogram has the edges that it was given, and leaves out what lies beyond', async () => {
  const raster = await openFixture('rasters/scenes/surface.tif')
  const free = await histogramOf(raster, { bins: 4 })
  const { minimum, maximum, count } = (await computeRasterStatistics(raster)).bands[0]!
  assert.deepEqual([free.edges[0], free.edges.at(-1)], [minimum, maximum])
  assert.equal(sumOf(free.counts), count)
  const [lowest, highest] = [minimum + 1, maximum - 1]
  const cut = await histogramOf(raster, { bins: 4, range: [lowest, highest] }, 4 * blockBytes(raster))
  assert.deepEqual(cut.edges, [0, 1, 2, 3].map((at) => lowest + at * ((highest - lowest) / 4)).concat(highest))
  assert.ok(sumOf(cut.counts) < count)
})

test('an approximate answer takes the coarsest level that has enough pixels, and says so', async () => {
  const raster = await openFixture('rasters/scenes/linz-rgbi16.tif')
  const sizes = raster.levels.map(({ width, height }) => width * height)
  const found = await computeRasterStatistics(raster, { approximate_pixels: sizes[2] })
  assert.deepEqual([found.level, found.approximate], [2, true])
  assert.deepEqual(found.bands, (await computeRasterStatistics(raster, { level: 2 })).bands)
  const exact = await computeRasterStatistics(raster, { approximate_pixels: sizes[0]! * 2 })
  assert.deepEqual([exact.level, exact.approximate], [0, false])
  const window = [0, 0, raster.width / 2, raster.height] as const
  const half = await computeRasterStatistics(raster, { approximate_pixels: sizes[2], window })
  assert.equal(half.level, 1)
  assert.deepEqual(half.window, [0, 0, raster.levels[1]!.width / 2, raster.levels[1]!.height])
})

test('where a level would cost too much to decode, the next smaller one is measured', async () => {
  const raster = await openFixture('rasters/scenes/naip-nd.tif')
  const { block, storage } = raster.levels[1]!
  const max_decoded_bytes = block[0] * block[1] * storage.columns * storage.rows * storage.samplesPerPixel
  const cheap = await computeRasterStatistics(raster, { max_decoded_bytes })
  assert.deepEqual([cheap.level, cheap.approximate], [1, true])
  assert.deepEqual(cheap.bands, (await computeRasterStatistics(raster, { level: 1 })).bands)
  const window = [0, 0, block[0], block[1]] as const
  const small = await computeRasterStatistics(raster, { max_decoded_bytes, window })
  assert.deepEqual([small.level, small.approximate, small.window], [0, false, window])
  await fails('budget', computeRasterStatistics(raster, { max_decoded_bytes: max_decoded_bytes / 2 }))
  await fails('request', computeRasterStatistics(raster, { max_decoded_bytes, level: 1 }))
})

test('without a valid pixel there are counts and no numbers', async () => {
  const raster = await openFixture('measures/scaled-i16.tif')
  const window = [12, 12, 20, 15] as const
  const { bands } = await computeRasterStatistics(raster, { window, histogram: { bins: 2 }, classes: true })
  const { count, valid_percent, mean, minimum, percentiles, histogram, classes } = bands[0]!
  assert.deepEqual([count, valid_percent, mean, minimum, percentiles], [0, 0, NaN, NaN, [NaN, NaN]])
  assert.deepEqual([histogram, classes], [{ counts: [0, 0], edges: [0, 0.5, 1] }, []])
  const wide = await openFixture('rasters/scenes/surface.tif')
  const empty = await computeRasterStatistics(wide, { expression: parseExpression('log(b1 - 1e9)') })
  assert.deepEqual(empty.bands[0]!.percentiles, [NaN, NaN])
})

test('what cannot be measured is a failure with a name', async () => {
  const raster = await openFixture('rasters/scenes/surface.tif')
  const expression = parseExpression('b1 * 2')
  await fails('request', computeRasterStatistics(raster, { bands: [3] }))
  await fails('request', computeRasterStatistics(raster, { level: 9 }))
  await fails('request', computeRasterStatistics(raster, { window: [0, 0, 5, 1e6] }))
  await fails('request', computeRasterStatistics(raster, { percentiles: [101] }))
  await fails('request', computeRasterStatistics(raster, { bands: [0], expression }))
  await fails('request', computeRasterStatistics(raster, { approximate_pixels: 0 }))
  await fails('request', histogramOf(raster, { bins: 0 }))
  await fails('request', histogramOf(raster, { bins: 5, range: [2, 1] }))
  await fails('expression', computeRasterStatistics(raster, { expression: parseExpression('b2 + nir') }))
  await fails('expression', computeRasterStatistics(raster, { expression: parseExpression('1 + 1') }))
  await fails('budget', computeRasterStatistics(raster, { budget_bytes: 5000 }))
  await fails('cancelled', computeRasterStatistics(raster, { signal: AbortSignal.abort() }))
})

async function histogramOf(raster: Raster, histogram: HistogramOptions, budget_bytes?: number): Promise<BandHistogram> {
  const { bands } = await computeRasterStatistics(raster, { percentiles: [], histogram, budget_bytes })
  return bands[0]!.histogram!
}

/** The bytes of one block, beside the rows that are taken from it. */
function blockBytes({ levels, sampleType }: Raster): number {
  const { block, storage } = levels[0]!
  const sampleBytes = Number(/\d+$/.exec(sampleType)![0]) / 8
  return block[0] * block[1] * storage.samplesPerPixel * sampleBytes
}

function withoutMissing(block: PixelBlock, nodata: number | null): PixelBlock {
  const size = block.mask.length
  const mask = block.mask.map((valid, at) =>
    block.data[at] === nodata || block.data[size + at] === nodata ? 0 : valid,
  )
  return { ...block, mask }
}

function sumOf(values: readonly number[]): MeasuredBandStatistics['count'] {
  return values.reduce((sum, value) => sum + value, 0)
}

async function fails(kind: RasterFailureKind, work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => error instanceof RasterFailure && error.kind === kind)
}

async function openFixture(name: string): Promise<Raster> {
  return openRaster(createMemorySource(readFileSync(new URL(name, fixtures)), name))
}
