import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spectralIndicesByName } from '@swath/raster'
import { buildPresetParameters } from '../tiles/style/item-presets.ts'
import { listPresetsForBands, type VisualizationPresetRequest } from './presets.ts'

const listFor = (band_roles: Record<string, number>, more: Partial<VisualizationPresetRequest> = {}) =>
  listPresetsForBands({ band_roles, data_type: 'raster', render_params: {}, asset: null, ...more })
const ids = (band_roles: Record<string, number>, more: Partial<VisualizationPresetRequest> = {}) =>
  listFor(band_roles, more).visualizations.map(({ id }) => id)

test('without band roles the only preset is the first band', () => {
  const { visualizations, default_id } = listFor({})
  assert.deepEqual(
    visualizations.map(({ kind, bands, is_default }) => [kind, bands, is_default]),
    [['raw', [1], true]],
  )
  assert.equal(default_id, 'raw')
})

test('red, green and blue offer true color, in that order, as the default', () => {
  const { visualizations, default_id } = listFor(
    { blue: 1, green: 2, red: 3 },
    { asset: 'data', render_params: { rescale: '0,3000' } },
  )
  const [preset] = visualizations
  assert.deepEqual([preset!.kind, preset!.bands, preset!.asset, preset!.rescale], ['rgb', [3, 2, 1], 'data', '0,3000'])
  assert.equal(default_id, preset!.id)
  assert.ok(!ids({ blue: 1, red: 3 }).includes('true-color'))
})

test('every index with all its bands is offered, with band numbers in the expression', () => {
  const { visualizations } = listFor({ red: 4, nir: 5 })
  const ndvi = visualizations.find(({ id }) => id === 'ndvi')!
  assert.deepEqual(
    [ndvi.kind, ndvi.expression, ndvi.rescale, ndvi.colormap, ndvi.category],
    ['index', '(b5 - b4) / (b5 + b4)', '-0.2,0.9', 'RdYlGn', 'vegetation'],
  )
  assert.ok(!visualizations.some(({ id }) => id === 'ndwi'))
  const roles = { red: 1, green: 2, blue: 3, nir: 4, rededge: 5, swir16: 6, swir22: 7 }
  const all = ids({ ...roles, coastal: 8, rededge075: 9, rededge078: 10, nir08: 11 })
  assert.deepEqual(all, ['true-color', ...spectralIndicesByName.keys(), 'raw'])
  const { visualizations: msavi } = listFor({ red: 1, nir: 2 })
  assert.equal(
    msavi.find(({ id }) => id === 'msavi')!.expression,
    '(2 * b2 + 1 - sqrt((2 * b2 + 1) ** 2 - 8 * (b2 - b1))) / 2',
  )
})

test('band roles accept sensor-specific aliases, and standard names take precedence', () => {
  assert.ok(ids({ Red: 1, NIR08: 2, SWIR_1: 3 }).includes('ndmi'))
  const { visualizations } = listFor({ nir08: 2, nir: 7, red: 1 })
  assert.equal(visualizations.find(({ id }) => id === 'ndvi')!.expression, '(b7 - b1) / (b7 + b1)')
})

test('elevation data has the elevation preset', () => {
  const { visualizations, default_id } = listFor({}, { data_type: 'dem', render_params: { colormap: 'gist_earth' } })
  assert.deepEqual(
    [visualizations[0]!.kind, visualizations[0]!.colormap, default_id],
    ['elevation', 'gist_earth', 'elevation'],
  )
})

test('scale and offset of bands are applied in the expression', () => {
  const band = (common_name: string, scale = 1, offset = 0) => ({ common_name, scale, offset })
  const expression = (bands: ReturnType<typeof band>[]) => buildPresetParameters('NDVI', bands)?.expression
  assert.equal(expression([band('red'), band('nir')]), '(b2 - b1) / (b2 + b1)')
  assert.equal(
    expression([band('red', 0.0000275, -0.2), band('nir', 0.0001)]),
    '((b2 * 0.0001) - (b1 * 0.0000275 - 0.2)) / ((b2 * 0.0001) + (b1 * 0.0000275 - 0.2))',
  )
  assert.equal(expression([band('red')]), undefined)
  assert.equal(
    buildPresetParameters('ndre', [band('red'), band('rededge'), band('rededge'), band('nir')])?.expression,
    '(b4 - b2) / (b4 + b2)',
  )
})
