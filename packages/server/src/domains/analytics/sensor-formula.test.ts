import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RasterBandMetadata } from '../items/assets/raster-metadata.ts'
import { requireAnalyticsSensor } from './registry.ts'
import { bindSensorFormulaToFile } from './sensor-formula.ts'

const band = (name: string | null, common_name: string | null = null): RasterBandMetadata => ({
  name,
  common_name,
  colour: 'undefined',
  scale: 1,
  offset: 0,
  statistics: null,
})

const bind = (formula: string, sensor: string, bands: readonly RasterBandMetadata[]) =>
  bindSensorFormulaToFile(formula, requireAnalyticsSensor(sensor), bands, 'formula').names

test('a formula finds the bands of a file by the names of the sensor and by common names', () => {
  const named = [band('B04'), band('B08'), band('B11')]
  assert.deepEqual(bind('(nir - red) / swir16', 'sentinel-2', named), { nir: 1, red: 0, swir16: 2 })
  assert.deepEqual(bind('B8 - b4', 'sentinel-2', named), { B8: 1, b4: 0 })
  // The near-infrared band of Landsat 8 is the narrow one, which files also call nir.
  const landsat = [band('Red', 'red'), band('NIR', 'nir')]
  assert.deepEqual(bind('nir - red', 'landsat-8', landsat), { nir: 1, red: 0 })
})

test('a file without names has the bands of the sensor in their order, if it has as many', () => {
  const unnamed = Array.from({ length: 4 }, () => band(null))
  assert.deepEqual(bind('nir / red', 'naip', unnamed), { nir: 3, red: 0 })
  const withAlpha = [...unnamed, { ...band(null), colour: 'alpha' }]
  assert.deepEqual(bind('nir / red', 'naip', withAlpha), { nir: 3, red: 0 })
  assert.throws(() => bind('nir / red', 'sentinel-2', unnamed), { problem: 'validation' })
})
