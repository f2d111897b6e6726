import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import { square } from '../../../test/geometries.ts'
import {
  createRandomLine,
  createRandomPolygon,
  createSlantedComb,
  createTrack,
} from '../../../test/cql2/hostile-geometries.ts'
import { computeGeometryBbox, createGeometryBudget, validateGeometry } from './geometry.ts'

const polygon = (ring: unknown) => ({ type: 'Polygon', coordinates: [ring] })

test('valid geometries of every type pass', () => {
  const validGeometries: unknown[] = [
    { type: 'Point', coordinates: [1, 2] },
    { type: 'Point', coordinates: [1, 2, 300] },
    { type: 'MultiPoint', coordinates: [[1, 2]] },
    {
      type: 'LineString',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    },
    {
      type: 'MultiLineString',
      coordinates: [
        [
          [1, 2],
          [3, 4],
        ],
      ],
    },
    square(1, 2, 3),
    { type: 'MultiPolygon', coordinates: [(square(1, 2, 3) as { coordinates: unknown }).coordinates] },
    { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }] },
  ]
  for (const geometry of validGeometries) assert.equal(validateGeometry(geometry), null, JSON.stringify(geometry))
})

test('invalid geometries, including those that PostGIS accepts, are rejected with their path', () => {
  const invalidGeometries: [unknown, string][] = [
    [
      polygon([
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ]),
      'geometry.coordinates.0',
    ],
    [
      polygon([
        [0, 0],
        [1, 0],
        [0, 0],
      ]),
      'geometry.coordinates.0',
    ],
    [
      polygon([
        ['a', 'b'],
        [1, 0],
        [1, 1],
        ['a', 'b'],
      ]),
      'geometry.coordinates.0.0',
    ],
    [
      polygon([
        [0, 0],
        [Number.NaN, 0],
        [1, 1],
        [0, 0],
      ]),
      'geometry.coordinates.0.1',
    ],
    [
      polygon([
        [0, 0],
        [1e308, 0],
        [1, 1],
        [0, 0],
      ]),
      'geometry.coordinates.0.1',
    ],
    [
      polygon([
        [0, 0],
        [1, 91],
        [1, 1],
        [0, 0],
      ]),
      'geometry.coordinates.0.1',
    ],
    [{ type: 'Polygon', coordinates: [] }, 'geometry.coordinates'],
    [{ type: 'LineString', coordinates: [[0, 0]] }, 'geometry.coordinates'],
    [{ type: 'Circle', coordinates: [0, 0] }, 'geometry.type'],
    [{ type: 'toString', coordinates: [0, 0] }, 'geometry.type'],
    [
      { type: 'GeometryCollection', geometries: [{ type: 'GeometryCollection', geometries: [] }] },
      'geometry.geometries.0.type',
    ],
    [{ type: 'MultiPoint', coordinates: Array.from({ length: 100_001 }, () => [0, 0]) }, 'geometry.coordinates.100000'],
    [null, 'geometry'],
  ]
  for (const [geometry, path] of invalidGeometries)
    assert.equal(validateGeometry(geometry)?.path, path, JSON.stringify(geometry)?.slice(0, 100))
})

test('the bbox contains the geometry and crosses the antimeridian if the geometry does', () => {
  assert.deepEqual(computeGeometryBbox(square(10, 50, 1)), [10, 50, 11, 51])
  assert.deepEqual(computeGeometryBbox({ type: 'Point', coordinates: [5, 6, 7] }), [5, 6, 5, 6])
  const halves = [square(178, -18, 2), square(-180, -18, 1)] as { type: 'Polygon'; coordinates: number[][][] }[]
  const fiji: Geometry = { type: 'MultiPolygon', coordinates: halves.map((half) => half.coordinates) }
  assert.deepEqual(computeGeometryBbox(fiji), [178, -18, -179, -16])
  assert.deepEqual(computeGeometryBbox({ type: 'GeometryCollection', geometries: halves }), [178, -18, -179, -16])
  assert.deepEqual(
    computeGeometryBbox({
      type: 'MultiPoint',
      coordinates: [
        [1, 2],
        [3, -4],
      ],
    }),
    [1, -4, 3, 2],
  )
})

test('the geometries of a call share a budget, whatever their shape', () => {
  const track = createTrack(50_000)
  for (const geometry of [createSlantedComb(700), track, { ...track, type: 'MultiPoint' }]) {
    const budget = createGeometryBudget()
    const errors = Array.from({ length: 4 }, () => validateGeometry(geometry, 'geometry', budget))
    assert.equal(errors[0], null)
    assert.match(errors.at(-1)!.message, /for one request/)
    assert.equal(validateGeometry(geometry), null)
  }
})

test('a line is refused if it crosses itself more often than tracks do', () => {
  const line = createRandomLine(1000)
  const { coordinates } = line
  const hostile: Geometry[] = [
    line,
    { type: 'MultiLineString', coordinates: [coordinates.slice(0, 500), coordinates.slice(500)] },
    { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }, line] },
    { type: 'GeometryCollection', geometries: [createRandomLine(250)] },
    { type: 'GeometryCollection', geometries: [createTrack(20_000), createSlantedComb(5000)] },
  ]
  for (const geometry of hostile) assert.equal(validateGeometry(geometry)?.path, 'geometry')
  assert.equal(validateGeometry(createRandomLine(250)), null)
  assert.equal(validateGeometry({ type: 'GeometryCollection', geometries: [createRandomLine(80)] }), null)
  assert.equal(validateGeometry(createRandomPolygon(300))?.path, 'geometry')
})
