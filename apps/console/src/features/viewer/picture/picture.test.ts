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
  isScaled: false,
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
  })
  assert.deepEqual([stored?.label, stored?.isSingle, stored?.range], ['mine', false, '0,9'])
  assert.deepEqual(resolvePicture(item, emptyStyle, { presets, profiles: [] })?.query, { profile: 'raw' })
})

test('a preset keeps its range and colours, which a style overrides', () => {
  const choices = { presets, profiles: [] }
  const ndvi = resolvePicture(item, { ...emptyStyle, preset: 'ndvi' }, choices)!
  assert.deepEqual([ndvi.range, ndvi.colormap, ndvi.isSingle], ['-0.2,0.9', 'RdYlGn', true])
  assert.equal(tileUrl(ndvi, 1), '/api/v1/items/i/tiles/{z}/{x}/{y}.webp?profile=ndvi')
  const narrow = resolvePicture(item, { ...emptyStyle, preset: 'ndvi', range: '0,1' }, choices)!
  assert.equal(narrow.range, '0,1')
  assert.equal(tileUrl(narrow, 2), '/api/v1/items/i/tiles/{z}/{x}/{y}@2x.webp?profile=ndvi&rescale=0%2C1')
})

test('without natural colour a known combination of bands is shown, the same as its button', () => {
  const infrared = { ...asset('data'), bands: [...asset('data').bands, { number: 3, name: 'B03', role: 'green' }] }
  const picture = resolvePicture({ ...item, assets: [infrared] }, emptyStyle, { presets, profiles: [] })
  assert.deepEqual(picture?.query, { bands: 'nir,red,green' })
})

test('bands are requested by name, and another file by its key', () => {
  const choices = { presets, profiles: [] }
  const picture = resolvePicture(item, { ...emptyStyle, bands: '2,B04,1', asset: 'mask' }, choices)!
  assert.equal(picture.label, 'B08 · nir, B04 · red, B04 · red')
  assert.deepEqual(picture.query, { bands: '2,B04,1', asset_key: 'mask' })
  assert.equal(picture.isSingle, false)
})

test('an item without a file that can be rendered has no picture', () => {
  assert.equal(resolvePicture({ ...item, assets: [] }, emptyStyle, { presets, profiles: [] }), null)
})

test('gamma comes from the style, else from the profile, and tile URLs have that of the style', () => {
  const choices = { presets, profiles: [profile({ bands: [1, 2, 1], gamma: 1.4 })] }
  const stored = resolvePicture(item, emptyStyle, choices)!
  assert.deepEqual([stored.gamma, stored.overrides], [1.4, {}])
  const own = resolvePicture(item, { ...emptyStyle, gamma: '2' }, choices)!
  assert.deepEqual([own.gamma, own.overrides], [2, { gamma: 2 }])
  assert.match(tileUrl(own, 1), /gamma=2$/)
  assert.equal(resolvePicture(item, { ...emptyStyle, preset: 'ndvi', gamma: 'bright' }, choices)?.gamma, 1)
})

test('natural colour of scaled values has a gamma, unless it or the range is chosen', () => {
  const natural = {
    ...none,
    id: 'true-color',
    label: 'True colour',
    kind: 'rgb',
    bands: [1, 2, 1],
    is_default: true,
  } as const
  const choices = { presets: [natural], profiles: [] } as unknown as Parameters<typeof resolvePicture>[2]
  const scaled = { ...item, assets: [{ ...asset('data'), isScaled: true }] }
  const gammaOf = (of: ViewItem, style = emptyStyle) => resolvePicture(of, style, choices)!.overrides.gamma ?? null
  assert.equal(gammaOf(scaled), 1.4)
  assert.equal(gammaOf(scaled, { ...emptyStyle, gamma: '1' }), 1)
  assert.equal(gammaOf(scaled, { ...emptyStyle, range: '0,3000' }), null)
  assert.equal(gammaOf(scaled, { ...emptyStyle, bands: '2' }), null)
  assert.equal(gammaOf(item), null, 'brightness of a photograph is as it should be')
})
