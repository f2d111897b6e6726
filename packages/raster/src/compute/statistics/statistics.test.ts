import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PixelBlock, SampleArray } from '../../types.ts'
import { computeBandStatistics } from './statistics.ts'

function block(data: SampleArray, mask?: Uint8Array): PixelBlock {
  return { width: data.length, height: 1, bands: 1, data, mask: mask ?? new Uint8Array(data.length).fill(255) }
}

/** Percentile as numpy's linear method defines it, straight from a sorted list. */
function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const position = (sorted.length - 1) * share
  const low = Math.floor(position)
  return sorted[low]! + ((sorted[low + 1] ?? sorted[low]!) - sorted[low]!) * (position - low)
}

test('a known set: numpy.arange(101)', () => {
  const [found] = computeBandStatistics(block(Uint8Array.from({ length: 101 }, (_, i) => i)))
  assert.deepEqual(found, {
    minimum: 0,
    maximum: 100,
    mean: 50,
    stddev: Math.sqrt(850),
    valid_percent: 100,
    p2: 2,
    p98: 98,
  })
})

test('histogram and sorting agree, with masks, nodata and negative values', () => {
  const values = Array.from({ length: 999 }, (_, i) => ((i * 7919) % 1000) - 500)
  const mask = Uint8Array.from(values, (_, i) => (i % 3 === 0 ? 0 : 255))
  const [whole] = computeBandStatistics(block(Int16Array.from(values), mask), 7)
  const [wide] = computeBandStatistics(block(Float64Array.from(values), mask), 7)
  const kept = values.filter((value, i) => i % 3 !== 0 && value !== 7)
  for (const found of [whole!, wide!]) {
    assert.equal(found.minimum, Math.min(...kept))
    assert.equal(found.maximum, Math.max(...kept))
    assert.ok(Math.abs(found.p2! - percentile(kept, 0.02)) < 1e-9)
    assert.ok(Math.abs(found.p98! - percentile(kept, 0.98)) < 1e-9)
    assert.ok(Math.abs(found.valid_percent - (100 * kept.length) / 999) < 1e-9)
  }
  assert.ok(Math.abs(whole!.mean - wide!.mean) < 1e-9)
  assert.ok(Math.abs(whole!.stddev - wide!.stddev) < 1e-9)
})

test('NaN, infinities and nodata that float32 rounds do not count', () => {
  const [found] = computeBandStatistics(block(Float32Array.of(1, NaN, 3, Infinity, -9999.9)), -9999.9)
  assert.equal(found!.mean, 2)
  assert.equal(found!.valid_percent, 40)
})

test('nothing valid gives no numbers', () => {
  const [found] = computeBandStatistics(block(Uint8Array.of(5, 5)), 5)
  assert.ok(Number.isNaN(found!.mean))
  assert.equal(found!.p2, null)
  assert.equal(found!.valid_percent, 0)
})
