import assert from 'node:assert/strict'
import { test } from 'node:test'
import proj4 from 'proj4'
import { createUtmProjection } from './transform.ts'

const texts = [
  '+proj=utm +zone=32 +datum=WGS84 +units=m +no_defs',
  '+proj=utm +zone=60 +south +datum=WGS84 +units=m +no_defs',
  '+proj=utm +zone=33 +ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m +no_defs +type=crs',
]

for (const text of texts)
  test(`positions of "${text}" are those of proj4`, () => {
    const forward = createUtmProjection(text)!
    const library = proj4(text)
    const meridian = 6 * Number(/zone=(\d+)/.exec(text)![1]) - 183
    for (let latitude = -84; latitude <= 84; latitude += 7)
      for (const east of [-40, -9, -3, -0.5, 0, 1e-6, 2.9, 3.1, 30]) {
        // One turn more is the same place.
        const [x, y] = forward(meridian + east + 360, latitude)
        const [expectedX, expectedY] = library.forward([meridian + east, latitude]) as [number, number]
        assert.ok(Math.hypot(x - expectedX, y - expectedY) < 1e-7, `${east}, ${latitude}: ${x - expectedX}`)
      }
  })

test('a place on the equator a quarter turn away has no position', () => {
  assert.deepEqual(createUtmProjection(texts[0]!)!(99, 0), [Number.NaN, Number.NaN])
})

test('other projections, datums with a shift and other units are left to the library', () => {
  assert.equal(createUtmProjection('+proj=lcc +lat_1=49 +lat_2=44 +datum=WGS84'), null)
  assert.equal(createUtmProjection('+proj=utm +zone=32 +ellps=intl +towgs84=-87,-98,-121,0,0,0,0 +units=m'), null)
  assert.equal(createUtmProjection('+proj=utm +zone=32 +ellps=GRS80 +towgs84=1,0,0,0,0,0,0 +units=m'), null)
  assert.equal(createUtmProjection('+proj=utm +zone=32 +ellps=GRS80 +units=m'), null)
  assert.equal(createUtmProjection('+proj=utm +zone=17 +datum=WGS84 +units=us-ft'), null)
  assert.equal(createUtmProjection('+proj=utm +zone=0 +datum=WGS84'), null)
})
