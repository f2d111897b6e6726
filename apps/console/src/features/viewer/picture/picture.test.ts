import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Visualization, VisualizationProfile } from '@swath/client/operations.ts'
import { emptyStyle } from '../state/style.ts'
import type { ViewAsset, ViewItem } from '../state/view-item.ts'
import { resolvePicture, tileUrl } from './picture.ts'

const asset = (key: string): ViewAsset => ({
  key,
  id: key,
  title: key,
  href: '',
  size_bytes: null,
  bands: [
    { number: 1, name: 'B04', role: 'red' },
    { number: 2, name: 'B08', role: 'nir' },
  ],
})
const item: ViewItem = {
  id: 'i',
  name: 'scene',
  datetime: null,
  bbox: null,
  collection: null,
  attribution: null,
  thumbnail: null,
  assets: [asset('data'), asset('mask')],
}
const none = { bands: null, expression: null, colormap: null, rescale: null, category: null, asset: null, description: '' } // prettier-ignore
const presets: Visualization[] = [
  { ...none, id: 'raw', label: 'First band', kind: 'raw', bands: [1], is_default: true },
  { ...none, id: 'ndvi', label: 'NDVI', kind: 'index', expression: '(b2 - b1) / (b2 + b1)', colormap: 'RdYlGn', rescale: '-0.2,0.9', is_default: false }, // prettier-ignore
]
const profile = (config: Record<string, unknown>): VisualizationProfile => ({
  id: 'p', item_id: 'i', name: 'mine', layer: 'user', type: 'rgb', is_default: true, sort_order: 0, config,
  asset_key: null, version: 1, created_by: null, created_at: '', updated_at: '',
}) // prettier-ignore

test('without a style the default profile is shown, else the default preset', () => {
  const stored = resolvePicture(item, emptyStyle, {
    presets,
    profiles: [profile({ bands: [1, 2, 1], rescale: [0, 9] })],
    legend: null,
  })
  assert.deepEqual([stored?.label, stored?.isSingle, stored?.range], ['mine', false, '0,9'])
  assert.deepEqual(resolvePicture(item, emptyStyle, { presets, profiles: [], legend: null })?.query, { profile: 'raw' })
})

test('a preset keeps its range and colours, which a style overrides', () => {
  const choices = { presets, profiles: [], legend: null }
  const ndvi = resolvePicture(item, { ...emptyStyle, preset: 'ndvi' }, choices)!
  assert.deepEqual([ndvi.range, ndvi.colormap, ndvi.isSingle], ['-0.2,0.9', 'RdYlGn', true])
  assert.equal(tileUrl(ndvi, 1), '/api/v1/items/i/tiles/{z}/{x}/{y}.webp?profile=ndvi')
  const narrow = resolvePicture(item, { ...emptyStyle, preset: 'ndvi', range: '0,1' }, choices)!
  assert.equal(narrow.range, '0,1')
  assert.equal(tileUrl(narrow, 2), '/api/v1/items/i/tiles/{z}/{x}/{y}@2x.webp?profile=ndvi&rescale=0%2C1')
})

test('without natural colour a known combination of bands is shown, the same as its button', () => {
  const infrared = { ...asset('data'), bands: [...asset('data').bands, { number: 3, name: 'B03', role: 'green' }] }
  const picture = resolvePicture({ ...item, assets: [infrared] }, emptyStyle, { presets, profiles: [], legend: null })
  assert.deepEqual(picture?.query, { bands: 'nir,red,green' })
})

test('bands are requested by name, and another file by its key', () => {
  const choices = { presets, profiles: [], legend: null }
  const picture = resolvePicture(item, { ...emptyStyle, bands: '2,B04,1', asset: 'mask' }, choices)!
  assert.equal(picture.label, 'B08 · nir, B04 · red, B04 · red')
  assert.deepEqual(picture.query, { bands: '2,B04,1', asset_key: 'mask' })
  assert.equal(picture.isSingle, false)
})

test('an item without a file that can be rendered has no picture', () => {
  assert.equal(resolvePicture({ ...item, assets: [] }, emptyStyle, { presets, profiles: [], legend: null }), null)
})

test('gamma comes from the style, else from the profile, and tile URLs have that of the style', () => {
  const choices = { presets, profiles: [profile({ bands: [1, 2, 1], gamma: 1.4 })], legend: null }
  const stored = resolvePicture(item, emptyStyle, choices)!
  assert.deepEqual([stored.gamma, stored.overrides], [1.4, {}])
  const own = resolvePicture(item, { ...emptyStyle, gamma: '2' }, choices)!
  assert.deepEqual([own.gamma, own.overrides], [2, { gamma: 2 }])
  assert.match(tileUrl(own, 1), /gamma=2$/)
  assert.equal(resolvePicture(item, { ...emptyStyle, preset: 'ndvi', gamma: 'bright' }, choices)?.gamma, 1)
})

test('true colour is natural until a range is chosen', () => {
  const natural = { ...none, id: 'true-color', label: 'True colour', kind: 'rgb', bands: [1, 2, 1], is_default: true } as const // prettier-ignore
  const choices = { presets: [natural], profiles: [], legend: null } as unknown as Parameters<typeof resolvePicture>[2]
  const picture = resolvePicture(item, emptyStyle, choices)!
  assert.deepEqual([picture.isNatural, picture.overrides], [true, {}])
  assert.equal(picture.stretch, 'natural')
  assert.equal(resolvePicture(item, { ...emptyStyle, range: '0,3000' }, choices)!.stretch, null)
  assert.equal(resolvePicture(item, { ...emptyStyle, range: '0,3000' }, choices)!.isNatural, false)
  assert.equal(resolvePicture(item, { ...emptyStyle, bands: '2' }, choices)!.isNatural, false)
})

test('the stretch of a profile is that of its picture', () => {
  const show = (config: Record<string, unknown>, range: string | null = null) => {
    const choices = { presets, profiles: [profile({ bands: [1, 2, 1], ...config })], legend: null }
    const { isNatural, stretch } = resolvePicture(item, { ...emptyStyle, range }, choices)!
    return [isNatural, stretch]
  }
  assert.deepEqual(show({}), [false, null])
  assert.deepEqual(show({ stretch: 'linear' }), [false, 'linear'])
  assert.deepEqual(show({ stretch: 'natural' }), [true, 'natural'])
  assert.deepEqual(show({ stretch: 'natural', rescale: [0, 9] }), [false, 'natural'], 'its range can be shown')
  assert.deepEqual(show({ stretch: 'natural' }, '0,9'), [false, 'natural'])
  assert.deepEqual(show({ stretch: 'cubic' }), [false, null])
})

test('saturation and contrast go to tile URLs, and come from a profile', () => {
  const choices = { presets, profiles: [profile({ bands: [1, 2, 1], color_formula: 'saturation 2' })], legend: null }
  assert.deepEqual(resolvePicture(item, emptyStyle, choices)!.tone, 'saturation 2')
  const own = resolvePicture(item, { ...emptyStyle, tone: 'saturation 1.5' }, choices)!
  assert.deepEqual([own.tone, own.overrides], ['saturation 1.5', { color_formula: 'saturation 1.5' }])
  assert.match(tileUrl(own, 1), /color_formula=saturation\+1\.5$/)
})

test('an item with colours of its own opens in them, and keeps what is not changed', () => {
  const index = { title: 'Vegetation index', colormap: 'RdYlGn', range: [-0.2, 0.9], classes: null }
  const shown = resolvePicture(item, emptyStyle, { presets, profiles: [], legend: index })!
  assert.deepEqual([shown.label, shown.range, shown.colormap, shown.isSingle], ['Vegetation index', '-0.2,0.9', 'RdYlGn', true]) // prettier-ignore
  assert.equal(tileUrl(shown, 1), '/api/v1/items/i/tiles/{z}/{x}/{y}.webp')
  const narrow = resolvePicture(item, { ...emptyStyle, range: '0,1' }, { presets, profiles: [], legend: index })!
  assert.deepEqual(narrow.overrides, { rescale: '0,1', colormap: 'RdYlGn' })
  const classes = [{ value: 4, name: 'Vegetation', color: '#00a000' }]
  const cover = { title: 'SCL', colormap: null, range: null, classes }
  assert.deepEqual(resolvePicture(item, emptyStyle, { presets, profiles: [], legend: cover })!.classes, classes)
  const ramp = resolvePicture(item, { ...emptyStyle, colormap: 'viridis' }, { presets, profiles: [], legend: cover })!
  assert.deepEqual([ramp.classes, ramp.overrides], [null, { colormap: 'viridis' }])
  const other = resolvePicture(item, { ...emptyStyle, preset: 'own' }, { presets, profiles: [], legend: null })!
  assert.deepEqual(other.query, { profile: 'raw' }, 'another item without colours of its own')
})
