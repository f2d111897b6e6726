import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toAreaFeatures } from './area-features.ts'

const square = (at: number): number[][][] => [[[at, at], [at + 2, at], [at + 2, at + 2], [at, at + 2], [at, at]]] // prettier-ignore
const pointsOf = (area: GeoJSON.Geometry): unknown[] =>
  toAreaFeatures(area).features.flatMap(({ geometry }) => (geometry.type === 'Point' ? [geometry.coordinates] : []))

test('each part of an area has a point in its middle', () => {
  assert.deepEqual(pointsOf({ type: 'Polygon', coordinates: square(0) }), [[1, 1]])
  assert.deepEqual(pointsOf({ type: 'MultiPolygon', coordinates: [square(0), square(10)] }), [
    [1, 1],
    [11, 11],
  ])
})
