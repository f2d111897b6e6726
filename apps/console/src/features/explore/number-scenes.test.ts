import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boxArea } from '../../area/area.ts'
import { numberScenes, toNumberPoints } from './number-scenes.ts'
import type { Scene } from './scenes.ts'

const scene = (id: string, datetime: string | null, west: number): Scene => ({
  type: 'Feature',
  id,
  geometry: boxArea(west, 0, west + 1, 1) as unknown as Scene['geometry'],
  properties: { datetime, host: 'open' },
  'service:price': null,
})

const numbered = numberScenes([
  scene('new', '2026-03-01T00:00:00Z', 10),
  scene('undated', null, 30),
  scene('old', '2025-01-01T00:00:00Z', 10.0001),
])

test('selected scenes are numbered in the order of their dates, whatever the order of selecting', () => {
  assert.deepEqual(
    numbered.map(({ number, key }) => [number, key]),
    [
      [1, 'open old'],
      [2, 'open new'],
      [3, 'open undated'],
    ],
  )
})

test('numbers of the same place stand beside each other', () => {
  assert.deepEqual(
    toNumberPoints(numbered).features.map(({ properties }) => properties?.['label'] as string),
    ['1 · 2', '3'],
  )
})
