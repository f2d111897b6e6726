import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StacItem as CommonStacItem } from 'stac-ts'
import type { StacItem } from '../operations.ts'
import { listAssetsByRole, typeStacItem } from './stac-item.ts'

const item: StacItem = {
  type: 'Feature',
  stac_version: '1.0.0',
  stac_extensions: [],
  id: 'scene',
  collection: 'fields',
  geometry: { type: 'Point', coordinates: [7, 50] },
  bbox: [7, 50, 7, 50],
  properties: { datetime: '2026-03-01T00:00:00Z', 'eo:cloud_cover': 3, 'other:thing': 'x' },
  assets: {
    data: Object.assign({ href: 'https://x/a', roles: ['data'] }, { 'file:size': 5 }),
    preview: { href: 'https://x/b', roles: ['thumbnail', 'overview'] },
    plain: { href: 'https://x/c' },
  },
  links: [],
}

test('properties and assets have their types, also in programs that use those of stac-ts', () => {
  const typed = typeStacItem(item)
  const cloud_cover: number | undefined = typed.properties['eo:cloud_cover']
  assert.deepEqual([cloud_cover, typed.properties['other:thing'], typed.assets['data']?.['file:size']], [3, 'x', 5])
  const takeCommon = ({ id, properties, assets }: Pick<CommonStacItem, 'id' | 'properties' | 'assets' | 'links'>) =>
    `${id} ${String(properties['eo:cloud_cover'])} ${Object.keys(assets).length}`
  assert.equal(takeCommon(typed), 'scene 3 3')
})

test('assets are found by their role', () => {
  const keys = (role: string): string[] => listAssetsByRole(typeStacItem(item), role).map(([key]) => key)
  assert.deepEqual([keys('data'), keys('overview'), keys('metadata')], [['data'], ['preview'], []])
})
