import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeNodataRange, sampleTypeProperties } from '../../sample-types.ts'
import type { BandStatistics, PixelRows, SampleType } from '../../types.ts'
import { startImageRowStatistics } from './statistics.ts'

const band_count = 2

function statisticsOf(
  type: SampleType,
  values: readonly number[],
  options: { nodata?: number; mask?: Uint8Array; alphaBand?: number; rows?: number } = {},
): BandStatistics[] {
  const { nodata = null, mask = null, alphaBand = -1, rows = 3 } = options
  const statistics = startImageRowStatistics(type, band_count, computeNodataRange(nodata, type), alphaBand)
  // The second band holds the values of the first, turned round.
  const data = sampleTypeProperties[type].allocate(values.length * band_count)
  for (const [i, value] of values.entries()) {
    data[i * band_count] = value
    data[(values.length - 1 - i) * band_count + 1] = value
  }
  const width = values.length / rows / 2
  for (let top = 0; top < 2 * rows; top += rows) {
    const [from, to] = [top * width, (top + rows) * width]
    const strip: PixelRows = {
      width,
      rows,
      bands: band_count,
      data: data.subarray(from * band_count, to * band_count),
      mask: mask?.subarray(from, to) ?? null,
    }
    statistics.add(strip)
  }
  return statistics.finish()
}

/** As numpy's linear method defines it. */
function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const position = (sorted.length - 1) * share
  const low = Math.floor(position)
  return sorted[low]! + ((sorted[low + 1] ?? sorted[low]!) - sorted[low]!) * (position - low)
}

function assertStatistics(found: BandStatistics, values: readonly number[], seen: number): void {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  const near = (a: number, b: number): void =>
    assert.ok(Math.abs(a - b) <= 1e-11 * Math.max(1, Math.abs(b)), `${a}, ${b}`)
  assert.equal(found.minimum, Math.min(...values))
  assert.equal(found.maximum, Math.max(...values))
  near(found.mean, mean)
  near(found.stddev, Math.sqrt(variance))
  near(found.valid_percent, (100 * values.length) / seen)
  near(found.p2!, percentile(values, 0.02))
  near(found.p98!, percentile(values, 0.98))
}

for (const type of Object.keys(sampleTypeProperties) as SampleType[])
  test(`${type}: all numbers, without nodata and masked pixels`, () => {
    const { lowest, format } = sampleTypeProperties[type]
    const values = Array.from(
      { length: 600 },
      (_, i) => ((i * 7919) % 101) - (lowest < 0 ? 50 : 0) + (format === 3 ? 0.25 : 0),
    )
    for (const found of statisticsOf(type, values)) assertStatistics(found, values, 600)
    const nodata = values[5]!
    const kept = values.filter((value) => value !== nodata)
    for (const found of statisticsOf(type, values, { nodata })) assertStatistics(found, kept, 600)
    const mask = Uint8Array.from(values, (_, i) => (i % 3 === 0 ? 0 : 255))
    const [first] = statisticsOf(type, values, { mask, nodata })
    assertStatistics(
      first!,
      values.filter((value, i) => i % 3 !== 0 && value !== nodata),
      600,
    )
  })

test('alpha counts whatever it hides; NaN and infinities never do', () => {
  const values = Array.from({ length: 600 }, (_, i) => i % 256)
  const mask = new Uint8Array(600)
  const [hidden, alpha] = statisticsOf('uint8', values, { mask, alphaBand: 1 })
  assert.deepEqual([hidden!.valid_percent, hidden!.p2], [0, null])
  assertStatistics(alpha!, values, 600)
  const floats = values.map((value, i) => [value, NaN, Infinity, -Infinity][i % 4]!)
  const [found] = statisticsOf('float32', floats)
  assertStatistics(found!, floats.filter(Number.isFinite), 600)
})

test('beyond a million values percentiles come from an even sample', () => {
  const values = Array.from({ length: 3_000_000 }, (_, i) => (i % 100_000) / 1000)
  const [found] = statisticsOf('float64', values, { rows: 15 })
  assert.ok(Math.abs(found!.p2! - 2) < 0.01 && Math.abs(found!.p98! - 98) < 0.01)
  assert.ok(Math.abs(found!.mean - 49.9995) < 1e-9)
})
