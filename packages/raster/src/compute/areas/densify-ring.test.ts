import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCrsFromEpsg } from '../../formats/crs/from-code.ts'
import { createCrsTransform } from '../../formats/crs/transform.ts'
import type { Raster } from '../../types.ts'
import { computeSignedRingArea } from './outline.ts'
import { densifyRingToPixels } from './densify-ring.ts'
import { type CoordinatesToPixels, createLocalProjection } from './local-projection.ts'
import { sortAreasByBlock } from '../statistics/zonal-statistics.ts'

const utm = createCrsTransform(await createCrsFromEpsg(32_632))
/** Pixels of 10 m, as those of a Sentinel-2 tile. */
const toPixels: CoordinatesToPixels = (longitude, latitude) => {
  const [x, y] = utm.forward(longitude, latitude)
  return [(x - 600_000) / 10, (5_600_000 - y) / 10]
}

/** A ring of many points around a place in degrees. */
const circle = (radius: number): number[] =>
  Array.from({ length: 200 }, (_, at) => (2 * Math.PI * at) / 200).flatMap((angle) => [
    10.6 + radius * Math.cos(angle),
    50.2 + radius * Math.sin(angle),
  ])

test('a projection around a small area is a polynomial, to a millionth of a pixel', () => {
  const local = createLocalProjection({ west: 10.59, east: 10.61, south: 50.19, north: 50.21 }, toPixels)!
  for (const [longitude, latitude] of [
    [10.59, 50.19],
    [10.6, 50.2],
    [10.6034, 50.1912],
    [10.608, 50.2099],
  ] as const) {
    const [[x, y], [exactX, exactY]] = [local(longitude, latitude), toPixels(longitude, latitude)]
    assert.ok(Math.hypot(x - exactX, y - exactY) < 2e-6)
  }
})

test('around a large area, or where places have no position, it is not', () => {
  assert.equal(createLocalProjection({ west: 10, east: 10.9, south: 50, north: 50.9 }, toPixels), null)
  assert.equal(createLocalProjection({ west: 10, east: 12, south: 50, north: 51 }, toPixels), null)
  assert.equal(createLocalProjection({ west: 10, east: 10, south: 50, north: 50 }, toPixels), null)
  const nowhere: CoordinatesToPixels = () => [Number.NaN, Number.NaN]
  assert.equal(createLocalProjection({ west: 10.59, east: 10.61, south: 50.19, north: 50.21 }, nowhere), null)
})

test('a ring of many points has the area of its exactly projected points', () => {
  for (const radius of [0.0005, 0.01, 0.2]) {
    const ring = circle(radius)
    const exact = Array.from({ length: ring.length / 2 }, (_, at) => toPixels(ring[2 * at]!, ring[2 * at + 1]!)).flat()
    const [found, wanted] = [
      Math.abs(computeSignedRingArea(densifyRingToPixels(ring, toPixels))),
      Math.abs(computeSignedRingArea(exact)),
    ]
    assert.ok(Math.abs(found / wanted - 1) < 1e-5, `${found} for ${wanted}`)
  }
})

test('areas are ordered by the block in which they begin', async () => {
  const raster = {
    width: 1000,
    height: 1000,
    affine: [0, 1, 0, 1000, 0, -1],
    levels: [{ width: 1000, height: 1000, block: [256, 256] }],
  } as unknown as Raster
  const at = (x: number, y: number) => [{ points: [x, 1000 - y], isHole: false }]
  const areas = [at(900, 900), at(10, 300), at(700, 10), at(Number.NaN, 0), at(10, 10), at(20, 10)]
  assert.deepEqual(sortAreasByBlock(raster, areas, 'raster'), [4, 5, 2, 1, 0, 3])
})
