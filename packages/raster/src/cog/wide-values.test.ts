import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parseExpression } from '../compute/expression/expression.ts'
import { readPoint } from '../compute/statistics/point.ts'
import { computeRasterStatistics } from '../compute/statistics/raster-statistics.ts'
import { computeZonalStatistics } from '../compute/statistics/zonal-statistics.ts'
import { readWindow } from '../compute/window/read-window.ts'
import { crsToLonLat } from '../formats/crs/crs.ts'
import { openRasterFolder } from '../../test/make-raster.ts'
import type { RasterDescription } from '../../test/make-raster.ts'
import type { BandInfo, Raster, SampleType } from '../types.ts'
import { writeAreaChange } from './area-change.ts'
import { runProcessToCog, type RasterProcess } from './process.ts'

const files = openRasterFolder()
after(() => files.close())

const side = 16
const count = side * side
const at = (x: number, y: number): number => y * side + x
/** Name, type and values of the files; the same numbers as numpy prints for them. */
const wide: readonly (readonly [string, SampleType, (index: number) => number])[] = [
  ['seconds with fractions', 'float64', (index) => index * 0.001 + 1_705_276_961.123],
  ['identifiers', 'uint32', (index) => index + 4_000_000_001],
  ['seconds', 'int32', (index) => index + 1_705_276_961],
  ['degrees', 'float64', (index) => index * 1e-9 + 51.123456789],
  ['negative', 'int32', (index) => index - 2_147_483_648],
  ['just beyond float32', 'int32', (index) => index + 2 ** 24 - 100],
  ['very large', 'float64', (index) => index + 2 ** 40],
  ['beyond the range of float32', 'float64', (index) => (index + 1) * 1e300],
  ['very small', 'float64', (index) => (index + 1) * 1e-60],
  ['small differences', 'float64', (index) => 1 + index * 2 ** -40],
]

const describe = (type: SampleType, value: (index: number) => number): RasterDescription => ({
  width: side,
  height: side,
  type,
  value: (x, y) => value(at(x, y)),
})

function summarize(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + (value - values[0]!) / values.length, 0) + values[0]!
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2 / values.length, 0)
  return { minimum: Math.min(...values), maximum: Math.max(...values), mean, stddev: Math.sqrt(squares) }
}

function assertStatistics(found: ReturnType<typeof summarize>, values: readonly number[], label: string): void {
  const wanted = summarize(values)
  assert.deepEqual([found.minimum, found.maximum], [wanted.minimum, wanted.maximum], label)
  const spread = wanted.maximum - wanted.minimum
  assert.ok(Math.abs(found.mean - wanted.mean) <= spread * 1e-6, `${label}: mean ${found.mean}`)
  if (Number.isFinite(wanted.stddev))
    assert.ok(Math.abs(found.stddev - wanted.stddev) <= wanted.stddev * 1e-6, `${label}: stddev ${found.stddev}`)
}

const whole = (raster: Raster) => {
  const [x0, , , y0] = raster.affine
  const corner = (dx: number, dy: number) => crsToLonLat(raster.crs!, x0 + dx, y0 - dy)
  const ring = [corner(-90, -90), corner(250, -90), corner(250, 250), corner(-90, 250), corner(-90, -90)]
  return { type: 'Polygon' as const, coordinates: [ring] }
}

test('statistics of wide numbers are exact with and without a formula, of all and of an area', async () => {
  for (const [label, type, value] of wide) {
    const raster = await files.make(describe(type, value))
    const values = Array.from({ length: count }, (_, index) => value(index))
    for (const expression of [undefined, parseExpression('b1'), parseExpression('b1 + 0')]) {
      const name = `${label}, ${expression?.text ?? 'band'}`
      const all = await computeRasterStatistics(raster, { expression, percentiles: [0, 100] })
      assertStatistics(all.bands[0]!, values, name)
      assert.deepEqual(all.bands[0]!.percentiles, [values[0], values[count - 1]], name)
      const inside = await computeZonalStatistics(raster, whole(raster), { expression })
      assert.equal(inside.bands[0]!.count, count)
      assertStatistics(inside.bands[0]!, values, `${name}, area`)
    }
  }
})

async function compute(rasters: readonly Raster[], process: RasterProcess): Promise<Raster> {
  const path = files.nextPath()
  await runProcessToCog(rasters, { path, process, block: 128 })
  return files.open(path)
}

const readAll = async (raster: Raster): Promise<number[]> =>
  Array.from((await readWindow(raster, { window: [0, 0, raster.width, raster.height] })).data)

const formula = (expression: string, scaled = false): RasterProcess => ({
  name: 'expression',
  expression,
  bands: {},
  label: 'result',
  scaled,
})

test('a formula over wide numbers is written as float64, bit by bit what numpy computes', async () => {
  for (const [label, type, value] of wide) {
    const raster = await files.make(describe(type, value))
    const result = await compute([raster], formula('b1 - 1'))
    assert.equal(result.sampleType, 'float64', label)
    const wanted = Array.from({ length: count }, (_, index) => value(index) - 1)
    assert.deepEqual(await readAll(result), wanted, label)
  }
})

test('a formula over small numbers is written as float64 only where its values need that', async () => {
  const scaled: Partial<BandInfo>[] = [{ scale: 1e-4, offset: -0.1 }]
  const far: Partial<BandInfo>[] = [{ scale: 0.001, offset: 1_705_276_961.123 }]
  const small = (bands: readonly Partial<BandInfo>[] = [{}]) =>
    files.make({ ...describe('uint16', (index) => index * 250 + 1), bands })
  const cases: readonly (readonly [Raster, string, boolean, SampleType, (sample: number) => number])[] = [
    [await small(), 'b1 / 3', false, 'float32', (sample) => Math.fround(sample / 3)],
    [await small(), 'b1 * 2 + 1', false, 'float32', (sample) => sample * 2 + 1],
    [await small(), 'b1 * b1', false, 'float64', (sample) => sample * sample],
    [await small(), 'b1 * 1000', false, 'float64', (sample) => sample * 1000],
    [await small(), 'b1 + 4000000001', false, 'float64', (sample) => sample + 4_000_000_001],
    [
      await small(scaled),
      '(b1 - 1) / (b1 + 1)',
      true,
      'float32',
      (sample) => {
        const value = sample * 1e-4 - 0.1
        return Math.fround((value - 1) / (value + 1))
      },
    ],
    [await small(far), 'b1', true, 'float64', (sample) => sample * 0.001 + 1_705_276_961.123],
    [await small(far), 'b1', false, 'float32', (sample) => sample],
  ]
  for (const [raster, text, isScaled, type, value] of cases) {
    const result = await compute([raster], formula(text, isScaled))
    assert.equal(result.sampleType, type, text)
    const wanted = Array.from({ length: count }, (_, index) => value(index * 250 + 1))
    assert.deepEqual(await readAll(result), wanted, text)
    const expression = parseExpression(text)
    const { bands } = await computeRasterStatistics(raster, { expression, scaled: isScaled })
    assert.deepEqual([bands[0]!.minimum, bands[0]!.maximum], [Math.min(...wanted), Math.max(...wanted)], text)
  }
})

test('a change of wide numbers is the exact difference', async () => {
  const before = await files.make(describe('uint32', (index) => index + 4_000_000_001))
  const later = await files.make(describe('uint32', (index) => index + 4_000_000_001 + (index % 3)))
  const path = files.nextPath()
  const bands = { b1: 0 }
  const expression = parseExpression('b1')
  const request = { path, area: whole(before), expression, bandsBefore: bands, bandsAfter: bands, threshold: 2 }
  const { change } = await writeAreaChange(before, later, request)
  assert.deepEqual([change.minimum, change.maximum, change.increased, change.decreased], [0, 2, 85, 0])
  assert.deepEqual(
    await readAll(await files.open(path)),
    Array.from({ length: count }, (_, index) => index % 3),
  )
})

test('resampled and reduced wide numbers keep their digits', async () => {
  const value = 1_705_276_961.125
  const raster = await files.make({ width: 600, height: 600, type: 'float64', value: () => value })
  assert.ok(raster.levels.length > 1)
  const overview = await readWindow(raster, { level: 1, window: [0, 0, 300, 300] })
  assert.deepEqual(new Set(overview.data), new Set([value]))
  for (const resampling of ['nearest', 'bilinear', 'cubic', 'average'] as const) {
    const result = await compute([raster], { name: 'reproject', epsg: 32_632, resampling, resolution: 30 })
    const { data, mask } = await readWindow(result, { window: [0, 0, result.width, result.height] })
    const found = Array.from(data).filter((_, pixel) => mask[pixel] !== 0)
    const worst = Math.max(...found.map((sample) => Math.abs(sample - value)))
    assert.ok(found.length > 0 && worst < 1e-5, `${resampling}: ${worst}`)
  }
})

test('a point of wide numbers has all its digits', async () => {
  const raster = await files.make(describe('float64', (index) => index * 1e-9 + 51.123456789))
  const [longitude, latitude] = crsToLonLat(raster.crs!, 500_155, 5_999_845)
  assert.deepEqual(await readPoint(raster, longitude, latitude), [255 * 1e-9 + 51.123456789])
})
