import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Crs, GeoTags } from '../../types.ts'
import { buildGeoFields } from './geo-fields.ts'

function values(tag: number, fields: ReturnType<typeof buildGeoFields>): number[] | undefined {
  const field = fields.find((candidate) => candidate.tag === tag)
  return field && Array.from(field.values)
}

const north: Crs = { epsg: 32_633, proj4: '+proj=utm +zone=33', name: 'UTM', geographic: false }

test('keys are made from the code, with the unit of the reference system', () => {
  const affine = [10, 2, 0, 20, 0, -2] as const
  const metric = buildGeoFields({ affine, crs: north, geoTags: null })
  assert.deepEqual(
    values(34_735, metric),
    [1, 1, 0, 4, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32_633, 3076, 0, 1, 9001],
  )
  assert.deepEqual(values(33_550, metric), [2, 2, 0])
  assert.deepEqual(values(33_922, metric), [0, 0, 0, 10, 20, 0])
  const feet = buildGeoFields({ affine, crs: { ...north, proj4: '+proj=lcc +units=us-ft +no_defs' }, geoTags: null })
  assert.equal(values(34_735, feet)!.at(-1), 9003)
  const degrees = buildGeoFields({ affine, crs: { ...north, epsg: 4326, geographic: true }, geoTags: null })
  assert.deepEqual(values(34_735, degrees)!.slice(12), [2048, 0, 1, 4326, 2054, 0, 1, 9102])
})

test('units with a code are named, others described, and a system without a code is refused', () => {
  const affine = [10, 2, 0, 20, 0, -2] as const
  const keysOf = (proj4: string): ReturnType<typeof buildGeoFields> =>
    buildGeoFields({ affine, crs: { ...north, proj4 }, geoTags: null })
  assert.equal(values(34_735, keysOf('+proj=tmerc +to_meter=0.3047972654'))!.at(-1), 9005)
  assert.equal(values(34_735, keysOf('+proj=tmerc +units=link'))!.at(-1), 9098)
  const own = keysOf('+proj=tmerc +to_meter=50000')
  assert.deepEqual(values(34_735, own)!.slice(-8), [3076, 0, 1, 32_767, 3077, 34_736, 1, 0])
  assert.equal(values(34_735, own)![3], 5)
  assert.deepEqual(values(34_736, own), [50_000])
  const described = { ...north, epsg: null, name: 'my own' }
  assert.throws(() => buildGeoFields({ affine, crs: described, geoTags: null }), {
    kind: 'request',
    message: /“my own”/,
  })
  const unknown = { epsg: null, proj4: null, name: 'unknown', geographic: false }
  assert.equal(values(34_735, buildGeoFields({ affine, crs: unknown, geoTags: null })), undefined)
})

test('the source’s own keys win, and a file of points is tied at the centre of a pixel', () => {
  const geoTags: GeoTags = { keyDirectory: [1, 1, 0, 1, 1025, 0, 1, 2], doubles: [6_378_137], ascii: 'mine|' }
  const fields = buildGeoFields({ affine: [10, 2, 0, 20, 0, -2], crs: north, geoTags })
  assert.deepEqual(values(34_735, fields), geoTags.keyDirectory)
  assert.deepEqual(values(34_736, fields), [6_378_137])
  assert.equal(Buffer.from(values(34_737, fields)!).toString(), 'mine|\0')
  assert.deepEqual(values(33_922, fields), [0, 0, 0, 11, 19, 0])
})

test('a turned grid, or one whose rows run upwards, is written as a matrix', () => {
  const fields = buildGeoFields({ affine: [10, 2, 0.5, 20, -0.5, -2], crs: north, geoTags: null })
  assert.deepEqual(values(34_264, fields), [2, 0.5, 0, 10, -0.5, -2, 0, 20, 0, 0, 0, 0, 0, 0, 0, 1])
  assert.equal(values(33_550, fields), undefined)
  assert.ok(values(34_264, buildGeoFields({ affine: [0, 1, 0, 0, 0, 1], crs: null, geoTags: null })))
})

test('an image without a place gets no geo fields', () => {
  assert.deepEqual(buildGeoFields({ affine: null, crs: north, geoTags: null }), [])
})
