import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areNear, targetBounds } from './target-bounds.ts'

const round = (bounds: readonly number[]): number[] => bounds.map((value) => Number(value.toFixed(3)))

test('the bounds of a view are around its centre, and all of the world at zoom 0', () => {
  assert.deepEqual(
    round(targetBounds({ lon: 0, lat: 0, zoom: 0 }, { width: 512, height: 512, covered: 0 })),
    [-180, -85.051, 180, 85.051],
  )
  const [west, south, east, north] = targetBounds(
    { lon: -74, lat: 40.7, zoom: 9 },
    { width: 800, height: 600, covered: 0 },
  )
  assert.deepEqual(round([west, east]), [-74.549, -73.451])
  assert.ok(south < 40.7 && north > 40.7 && Math.abs((south + north) / 2 - 40.7) < 0.01)
})

test('the centre of a view is the middle of what a sheet leaves of the map', () => {
  const whole = targetBounds({ lon: 11, lat: 46, zoom: 9 }, { width: 360, height: 700, covered: 0 })
  const [, south, , north] = targetBounds({ lon: 11, lat: 46, zoom: 9 }, { width: 360, height: 700, covered: 350 })
  assert.ok(Math.abs((46 - south) / (north - 46) - 3) < 0.05, 'a quarter of the canvas is above it')
  assert.ok(Math.abs(north - south - (whole[3] - whole[1])) < 0.01)
})

test('bounds are near if they differ by a small part of their size', () => {
  assert.ok(areNear([0, 0, 10, 10], [0.1, -0.1, 10, 10.1]))
  assert.ok(!areNear([0, 0, 10, 10], [1, 0, 11, 10]))
})
