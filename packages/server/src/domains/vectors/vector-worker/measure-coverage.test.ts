import assert from 'node:assert/strict'
import { test } from 'node:test'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import { boundsToPolygon } from '@swath/geo/bbox.ts'
import { measureDeliveredCoverage } from './measure-coverage.ts'

const [west, east, both] = [boundsToPolygon([0, 0, 2, 1]), boundsToPolygon([1, 0, 3, 1]), boundsToPolygon([0, 0, 3, 1])]
const isClose = (actual: number, expected: number): boolean => Math.abs(actual - expected) < 1e-6 * expected

test('an area that is ordered twice counts once, and as covered if one of the two was delivered', () => {
  const { covered, remainder } = measureDeliveredCoverage([
    { area: both, footprint: west, isDelivered: true },
    { area: both, footprint: east, isDelivered: false },
  ])
  assert.ok(isClose(covered.km2, geometryArea_km2(west)), `${covered.km2}`)
  assert.ok(isClose(remainder.km2, geometryArea_km2(boundsToPolygon([2, 0, 3, 1]))), `${remainder.km2}`)
  assert.equal(remainder.geometry?.type, 'Polygon')
})

test('before the first delivery everything remains, and after the last one nothing', () => {
  const areas = [west, east].map((footprint) => ({ area: both, footprint }))
  const before = measureDeliveredCoverage(areas.map((area) => ({ ...area, isDelivered: false })))
  const after = measureDeliveredCoverage(areas.map((area) => ({ ...area, isDelivered: true })))
  assert.deepEqual(before.covered, { km2: 0, geometry: null })
  assert.deepEqual(after.remainder, { km2: 0, geometry: null })
  assert.deepEqual(before.remainder, after.covered)
})
