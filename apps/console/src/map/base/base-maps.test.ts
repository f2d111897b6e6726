import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StyleSpecification } from 'maplibre-gl'
import { markBase, readConfiguredMaps, replaceBase } from './base-maps.ts'

const background = (id: string) => ({ id, type: 'background' as const })
const styleOf = (source: string, ...layers: string[]): StyleSpecification => ({
  version: 8,
  sources: { [source]: { type: 'geojson', data: { type: 'FeatureCollection', features: [] } } },
  layers: layers.map(background),
})

test('another base map replaces the previous one, and what is drawn above it stays above', () => {
  const shown = markBase(styleOf('world', 'water', 'land'))
  const drawn: StyleSpecification = {
    ...shown,
    sources: { ...shown.sources, footprints: { type: 'geojson', data: { type: 'FeatureCollection', features: [] } } },
    layers: [...shown.layers, background('footprints-line')],
  }
  const next = replaceBase(drawn, styleOf('aerial', 'roads'))
  assert.deepEqual(Object.keys(next.sources), ['aerial', 'footprints'])
  assert.deepEqual(
    next.layers.map(({ id }) => id),
    ['roads', 'footprints-line'],
  )
  const last = replaceBase(next, styleOf('world', 'water'))
  assert.deepEqual(Object.keys(last.sources), ['world', 'footprints'])
  assert.deepEqual(
    last.layers.map(({ id }) => id),
    ['water', 'footprints-line'],
  )
})

test('base maps of the operator are read from the page; there are none in a page without them', () => {
  assert.deepEqual(readConfiguredMaps('[{"title":"Aerial","url":"https://maps.example/style.json"}]'), [
    { id: 'https://maps.example/style.json', title: 'Aerial', url: 'https://maps.example/style.json' },
  ])
  assert.deepEqual([readConfiguredMaps('{{basemap}}'), readConfiguredMaps('')], [[], []])
})
