import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleEquidistantLinePositions } from './sample-line.ts'

test('positions are at equal distances over every vertex of the line, both ends included', () => {
  const { length_m, positions } = sampleEquidistantLinePositions([[0, 0], [1, 0], [1, 0], [1, 1]], 201) // prettier-ignore
  // A degree of the equator, and the first degree of a meridian, of WGS 84.
  assert.ok(Math.abs(length_m - (111_319.491 + 110_574.389)) < 0.01, String(length_m))
  assert.deepEqual(positions[0], { lon: 0, lat: 0, distance_m: 0 })
  const end = positions.at(-1)!
  assert.ok(Math.abs(end.lon - 1) < 1e-9 && Math.abs(end.lat - 1) < 1e-9)
  const steps = positions.slice(1).map(({ distance_m }, at) => distance_m - positions[at]!.distance_m)
  assert.ok(Math.max(...steps) - Math.min(...steps) < 1e-6)
  assert.ok(positions.slice(0, 100).every(({ lat }) => Math.abs(lat) < 1e-9))
})

test('a line across the antimeridian stays within the range of longitudes', () => {
  const { length_m, positions } = sampleEquidistantLinePositions([[179.9, 0], [-179.9, 0]], 5) // prettier-ignore
  assert.ok(length_m < 23_000)
  assert.ok(positions.every(({ lon }) => Math.abs(lon) > 179.8 && Math.abs(lon) <= 180))
})

test('a line without length and positions outside the globe are rejected', () => {
  assert.throws(() => sampleEquidistantLinePositions([[1, 1], [1, 1]], 2), /no length/) // prettier-ignore
  assert.throws(() => sampleEquidistantLinePositions([[1, 1], [1, 91]], 2), /coordinates\.1/) // prettier-ignore
})
