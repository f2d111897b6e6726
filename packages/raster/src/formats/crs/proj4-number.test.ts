import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readProj4Number } from './proj4-number.ts'
import { createCrsTransform } from './transform.ts'

test('a number is read by the name of its word, in every spelling', () => {
  const text = '+proj=aea +lat_0=-90 +lat_1=1e-5 +lat_2=.5 +lon_0=+10. +x_0=abc +to_meter=1.2.3 +lat_11=7'
  assert.deepEqual(
    ['lat_0', 'lat_1', 'lat_2', 'lon_0', 'x_0', 'to_meter', 'lat'].map((name) => readProj4Number(text, name)),
    [-90, 1e-5, 0.5, 10, null, null, null],
  )
})

test('a word of many digits is read in a moment', () => {
  const start_ms = performance.now()
  assert.equal(readProj4Number(`+lat_0=${'1'.repeat(100_000)}x`, 'lat_0'), null)
  assert.ok(performance.now() - start_ms < 5000)
})

test('a conic projection without a number for its parallel has no places, and fails nothing else', () => {
  const crs = { epsg: null, name: 'x', proj4: '+proj=aea +lat_1=1.2.3 +lat_2=9.9.9 +datum=WGS84', geographic: false }
  assert.deepEqual(createCrsTransform(crs).forward(10, 50), [Number.NaN, Number.NaN])
})
