import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describePlace, zoomOfPlace, type FoundPlace } from './places.ts'

const cologne: FoundPlace = { kind: 'settlement', name: 'Köln', matched_name: 'Cologne', country_code: 'DE', country: 'Germany', population: 963_395, lon: 6.95, lat: 50.93, bbox: null, reading: null } // prettier-ignore

test('a larger settlement is shown from further away, and no metropolis from too far', () => {
  const zooms = [1000, 16_000, 1_000_000, 30_000_000].map((population) =>
    zoomOfPlace({ kind: 'settlement', population }),
  )
  assert.deepEqual(zooms.map(Math.round), [14, 12, 10, 10])
  assert.deepEqual(
    zooms,
    zooms.toSorted((one, other) => other - one),
  )
})

test('a place is described by the name that was found, its country and its people', () => {
  assert.equal(describePlace(cologne), 'Cologne · Germany · 963K')
  assert.equal(describePlace({ ...cologne, kind: 'country', matched_name: null, population: null }), '')
})

test('a position is described by how it was read', () => {
  const position = { ...cologne, kind: 'position', reading: 'longitude, latitude', lon: 11.35, lat: 46.5 } as const
  assert.equal(describePlace(position), 'longitude, latitude: 46.5000°, 11.3500°')
})
