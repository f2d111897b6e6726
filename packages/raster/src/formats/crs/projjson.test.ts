import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toProjjson } from './projjson.ts'

interface ProjectedCrs {
  readonly type: string
  readonly name: string
  readonly base_crs: { readonly datum: { readonly ellipsoid: Readonly<Record<string, unknown>> } }
  readonly conversion: {
    readonly method: { readonly name: string }
    readonly parameters: readonly { readonly name: string; readonly value: number }[]
  }
  readonly coordinate_system: { readonly axis: readonly { readonly unit: unknown }[] }
}

const projected = (proj4: string, name = 'x') => toProjjson({ proj4, name }) as unknown as ProjectedCrs
const parameterValues = ({ conversion }: ProjectedCrs) => conversion.parameters.map((parameter) => parameter.value)

test('toProjjson expands UTM to transverse Mercator with the parameters of the zone', () => {
  const utm = projected('+proj=utm +zone=31 +south +datum=WGS84 +units=m', 'UTM 31S')
  assert.equal(utm.type, 'ProjectedCRS')
  assert.equal(utm.name, 'UTM 31S')
  assert.equal(utm.conversion.method.name, 'Transverse Mercator')
  assert.deepEqual(parameterValues(utm), [0, 3, 0.9996, 500000, 10000000])
})

test('toProjjson takes the only standard parallel of a Lambert conic as its latitude of origin', () => {
  const lambert = projected('+proj=lcc +lat_1=49 +lon_0=3 +a=6378249.2 +b=6356515')
  assert.equal(lambert.conversion.method.name, 'Lambert Conic Conformal (1SP)')
  assert.deepEqual(parameterValues(lambert), [49, 3, 1, 0, 0])
  assert.deepEqual(lambert.base_crs.datum.ellipsoid, {
    name: 'unknown',
    semi_major_axis: 6378249.2,
    semi_minor_axis: 6356515,
  })
})

test('toProjjson names known units and gives the factor of the others', () => {
  const unitOf = (units: string) =>
    projected(`+proj=tmerc +lon_0=9 +ellps=GRS80 ${units}`).coordinate_system.axis[0]!.unit
  assert.equal(unitOf('+units=m'), 'metre')
  assert.deepEqual(unitOf('+units=us-ft'), {
    type: 'LinearUnit',
    name: 'US survey foot',
    conversion_factor: 1200 / 3937,
  })
  assert.deepEqual(unitOf('+to_meter=0.25'), { type: 'LinearUnit', name: 'unknown', conversion_factor: 0.25 })
})

test('toProjjson keeps the prime meridian of a geographic CRS', () => {
  const ferro = toProjjson({ proj4: '+proj=longlat +ellps=bessel +pm=-17.666666666666668', name: 'x' }) as {
    type: string
    datum: { prime_meridian: { longitude: number } }
  }
  assert.equal(ferro.type, 'GeographicCRS')
  assert.equal(ferro.datum.prime_meridian.longitude, -17.666666666666668)
})

test('toProjjson returns null for a CRS without proj4 text and for a projection it does not know', () => {
  assert.equal(toProjjson({ proj4: null, name: 'x' }), null)
  assert.equal(toProjjson({ proj4: '+proj=nzmg', name: 'x' }), null)
  assert.equal(toProjjson({ proj4: '+proj=stere +lat_0=52 +lon_0=5 +ellps=bessel', name: 'x' }), null)
})
