import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSensorBands, guessBandsByReflectance, suggestBandNames } from './band-names.ts'
import type { RasterMetadata } from './raster-metadata.ts'

const rasterWithBands = (...names: (string | null)[]): RasterMetadata =>
  ({ bands: names.map((name) => ({ name, common_name: null })) }) as unknown as RasterMetadata

test('band descriptions take precedence over eo:bands, and eo:bands over the sensor', () => {
  const unnamedRaster = rasterWithBands(null, null, null, null)
  const platform = { properties: { platform: 'PlanetScope' } }
  const eo = { 'eo:bands': ['B1', 'B2', 'B3', 'B4'].map((name) => ({ name })) }
  const common = { 'eo:bands': ['blue', 'green', 'red', 'nir'].map((common_name) => ({ name: 'x', common_name })) }
  assert.equal(
    suggestBandNames({ item: platform, asset: { raster: rasterWithBands('a', 'b', 'c', 'd'), stac: eo } })?.method,
    'band_descriptions',
  )
  assert.deepEqual(suggestBandNames({ item: platform, asset: { raster: unnamedRaster, stac: eo } }), {
    suggested_band_names: ['B1', 'B2', 'B3', 'B4'],
    method: 'eo_bands',
  })
  assert.deepEqual(suggestBandNames({ item: { properties: common }, asset: { raster: unnamedRaster, stac: {} } }), {
    suggested_band_names: ['blue', 'green', 'red', 'nir'],
    method: 'eo_bands',
  })
  assert.deepEqual(suggestBandNames({ item: platform, asset: { raster: unnamedRaster, stac: {} } }), {
    suggested_band_names: ['blue', 'green', 'red', 'nir'],
    method: 'sensor',
  })
  const partiallyNamed = { raster: rasterWithBands('a', null, null, null), stac: { 'eo:bands': [{ name: 'one' }] } }
  assert.equal(suggestBandNames({ item: { properties: {} }, asset: partiallyNamed }), null)
})

test('a sensor product is found by platform and number of bands', () => {
  assert.equal(findSensorBands('Sentinel-2A', 13)?.[8], 'nir08')
  assert.equal(findSensorBands('sentinel-2b', 12)?.[10], 'swir16')
  assert.deepEqual(findSensorBands('LANDSAT_8', 7)?.slice(3, 5), ['red', 'nir'])
  assert.equal(findSensorBands('landsat-8', 3), null)
  assert.equal(findSensorBands('unheard-of', 4), null)
  assert.equal(findSensorBands('PNEO3', 6)?.[0], 'coastal')
  for (const count of [4, 7, 8, 11, 12, 13]) {
    const names = findSensorBands('sentinel2', count) ?? []
    assert.equal(new Set(names).size, names.length, 'band names are unique, because formulas refer to bands by name')
  }
})

test('without metadata, bands are ranked by median: near infrared is the brightest, blue the darkest visible band', () => {
  assert.deepEqual(guessBandsByReflectance([400, 600, 500, 3000]), ['blue', 'green', 'red', 'nir'])
  assert.deepEqual(guessBandsByReflectance([500, 600, 400, 3000, 1200]), ['red', 'green', 'blue', 'nir', 'b5'])
  assert.deepEqual(guessBandsByReflectance([1, 2, 3]), ['red', 'green', 'blue'])
  assert.deepEqual(guessBandsByReflectance([Number.NaN, 2, 3, 4]), ['b1', 'b2', 'b3', 'b4'])
  assert.deepEqual(guessBandsByReflectance([7]), ['b1'])
})
