import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Polygon } from './geojson.ts'
import { commonAreaKm2 } from './overlap.ts'

const box = (west: number, south: number, east: number, north: number): Polygon => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
})
const areaKm2 = (area: Polygon): number => commonAreaKm2([area])

const close = (actual: number, expected: number, relative: number): void =>
  assert.ok(Math.abs(actual - expected) <= relative * expected, `${actual} is not within ${relative} of ${expected}`)

/** The zone from the equator to a parallel, one degree wide, by the closed formula (Snyder 1987, equation 3-12). */
function zone(latitude: number): number {
  const [a, e2] = [6378.137, 0.00669437999014]
  const e = Math.sqrt(e2)
  const sine = Math.sin((latitude * Math.PI) / 180)
  const q = (1 - e2) * (sine / (1 - e2 * sine ** 2) - Math.log((1 - e * sine) / (1 + e * sine)) / (2 * e))
  return ((Math.PI / 180) * a ** 2 * q) / 2
}

test('the whole ellipsoid has its known surface', () => {
  close(areaKm2(box(-180, -90, 180, 90)), 510_065_621.724, 1e-6)
})

test('boxes at every latitude agree with the closed formula for zones', () => {
  for (const south of [-89, -45, 0, 33, 60, 88]) {
    close(areaKm2(box(10, south, 11, south + 1)), Math.abs(zone(south + 1) - zone(south)), 1e-7)
  }
  close(areaKm2(box(0, 0, 1, 80)), zone(80), 1e-7)
})

test('a hole is not counted', () => {
  const shell = box(0, 0, 2, 2)
  const holed: Polygon = { type: 'Polygon', coordinates: [...shell.coordinates, ...box(0.5, 0.5, 1, 1).coordinates] }
  close(areaKm2(holed), areaKm2(shell) - areaKm2(box(0.5, 0.5, 1, 1)), 1e-9)
})

test('what two areas share, also with crossing edges and a dent', () => {
  close(commonAreaKm2([box(0, 0, 2, 2), box(1, 1, 3, 3)]), areaKm2(box(1, 1, 2, 2)), 1e-9)
  assert.equal(commonAreaKm2([box(0, 0, 1, 1), box(2, 2, 3, 3)]), 0)
  assert.equal(commonAreaKm2([box(0, 0, 1, 1), box(1, 0, 2, 1)]), 0)
  const diamond: Polygon = {
    type: 'Polygon',
    coordinates: [
      [
        [1, 0],
        [2, 1],
        [1, 2],
        [0, 1],
        [1, 0],
      ],
    ],
  }
  const arrow: Polygon = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [2, 0],
        [1, 1],
        [2, 2],
        [0, 2],
        [0, 0],
      ],
    ],
  }
  // On a plane three quarters of the diamond: the dent takes its eastern quarter.
  close(commonAreaKm2([diamond, arrow]), areaKm2(diamond) * 0.75, 1e-3)
})

test('the direction of a ring does not matter, and an area shares all of itself', () => {
  const plain = box(5, 45, 6, 46)
  const reversed: Polygon = { type: 'Polygon', coordinates: [plain.coordinates[0]!.toReversed()] }
  close(areaKm2(reversed), areaKm2(plain), 1e-12)
  close(commonAreaKm2([plain, reversed]), areaKm2(plain), 1e-12)
})
