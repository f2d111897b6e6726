import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GeometryCoordinates, splitCrossingGeometry } from './normalize-geometry.ts'

const box = (west: number, south: number, east: number, north: number): number[][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]

/** West, south, east, north of each ring of each polygon. */
const listBounds = (polygons: number[][][][]): number[][][] =>
  polygons.map((rings) =>
    rings.map((ring) => [
      Math.min(...ring.map(([x]) => x!)),
      Math.min(...ring.map(([, y]) => y!)),
      Math.max(...ring.map(([x]) => x!)),
      Math.max(...ring.map(([, y]) => y!)),
    ]),
  )

const split = (type: string, coordinates: GeometryCoordinates) => splitCrossingGeometry({ type, coordinates })

test('a polygon whose longitudes continue beyond 180 degrees on either side is split, with its hole', () => {
  const expected = [
    [
      [-180, 0, -170, 10],
      [-178, 4, -176, 6],
    ],
    [[170, 0, 180, 10]],
  ]
  for (const turn of [0, -360]) {
    const rings = [box(170 + turn, 0, 190 + turn, 10), box(182 + turn, 4, 184 + turn, 6).toReversed()]
    const result = split('Polygon', rings)
    assert.equal(result?.type, 'MultiPolygon')
    const bounds = listBounds(result.coordinates as number[][][][])
    assert.deepEqual(
      bounds.toSorted((left, right) => left[0]![0]! - right[0]![0]!),
      expected,
    )
  }
})

test('lines are cut at the antimeridian, and points are moved', () => {
  assert.deepEqual(
    split('LineString', [
      [170, 0, 5],
      [190, 10, 7],
    ]),
    {
      // prettier-ignore
      type: 'MultiLineString',
      coordinates: [[[170, 0, 5], [180, 5, 6]], [[-180, 5, 6], [-170, 10, 7]]], // prettier-ignore
    },
  )
  assert.deepEqual(
    split('MultiPoint', [
      [190, 1],
      [-190, 2],
      [10, 3],
    ]),
    {
      // prettier-ignore
      type: 'MultiPoint',
      coordinates: [[-170, 1], [170, 2], [10, 3]], // prettier-ignore
    },
  )
})

test('a step to the other side is the long way round, and the whole world stays one polygon', () => {
  for (const rings of [[box(-178, 0, 178, 4)], [box(-180, -90, 180, 90), box(10, 0, 20, 10).toReversed()]])
    assert.deepEqual(split('Polygon', rings), { type: 'Polygon', coordinates: rings })
})

test('a part wider than the earth is refused', () => {
  assert.equal(split('Polygon', [box(-200, 0, 200, 10)]), null)
})
