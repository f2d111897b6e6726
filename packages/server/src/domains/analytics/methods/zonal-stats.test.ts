import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSlantedComb } from '../../../../test/cql2/hostile-geometries.ts'
import { Problem } from '../../../engine/problem.ts'
import { requireFewStatistics, requireZoneAreas, toHistogramRange } from './zonal-stats.ts'

/** A refusal of a parameter. */
const refuses = (path: string) => (error: unknown) =>
  error instanceof Problem && JSON.stringify(error.extra['errors']).includes(`"${path}"`)

const percentiles = Array.from({ length: 100 }, (_, at) => at)

test('an answer with too many numbers names the parameter that they come from, and how many it may have', () => {
  requireFewStatistics(4000, { bins: 0, percentiles })
  for (const [statistics, bins, path] of [
    [4001, 0, 'percentiles'],
    [1000, 151, 'bins'],
    [50_001, 0, 'zones'],
  ] as const)
    assert.throws(() => requireFewStatistics(statistics, { bins, percentiles }), refuses(path))
  requireFewStatistics(1000, { bins: 150, percentiles })
})

test('the range of a histogram runs upwards, and its width is a number', () => {
  assert.deepEqual(toHistogramRange([0, 1]), { range: [0, 1] })
  for (const range of [
    [1, 0],
    [-1e308, 1e308],
  ])
    assert.throws(() => toHistogramRange(range), refuses('range'))
})

test('zones share the steps of their validation', async () => {
  const zones = Array.from({ length: 4 }, () => ({ geometry: createSlantedComb(700) }))
  await assert.rejects(requireZoneAreas({ zones }), /^Problem: zones\.[1-3]\.geometry.* for one request/)
  assert.equal((await requireZoneAreas({ zones: zones.slice(0, 1) })).length, 1)
})
