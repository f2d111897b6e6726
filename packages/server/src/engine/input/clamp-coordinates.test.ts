import assert from 'node:assert/strict'
import { test } from 'node:test'
import { itemsCreateOperation } from '@swath/contract/operations/items.ts'
import { stacItemsSearchOperation } from '@swath/contract/operations/stac.items.ts'
import { readCallInput } from './read-input.ts'

const beyond_bound = -180.00000000000006

test('clamps coordinates that exceed a bound by a rounding error, in geometries and bboxes of every input', () => {
  const ring = [[beyond_bound, 90.0000000001], [0, 0], [1, 1], [beyond_bound, 90.0000000001]] // prettier-ignore
  const input = readCallInput(itemsCreateOperation, {
    project_id: '01a2045a-c6b3-7313-97a8-726578bfbd02',
    name: 'a',
    type: 'user_raster',
    geometry: { type: 'Polygon', coordinates: [ring] },
    bbox: [beyond_bound, 0, 1, 90.0000000001],
    properties: { 'proj:geometry': { type: 'Point', coordinates: [beyond_bound, 0] } },
  }) as Record<string, never>
  assert.deepEqual(input['bbox'], [-180, 0, 1, 90])
  assert.deepEqual(input['geometry'], { type: 'Polygon', coordinates: [[[-180, 90], [0, 0], [1, 1], [-180, 90]]] }) // prettier-ignore
  assert.deepEqual(input['properties'], { 'proj:geometry': { type: 'Point', coordinates: [beyond_bound, 0] } })
  const search = readCallInput(stacItemsSearchOperation, {
    bbox: [beyond_bound, beyond_bound, beyond_bound, 180.0000000001, 1, 2],
    intersects: { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [-beyond_bound, 181] }] },
  }) as Record<string, never>
  assert.deepEqual(search['bbox'], [-180, beyond_bound, beyond_bound, 180, 1, 2])
  assert.deepEqual(search['intersects'], {
    type: 'GeometryCollection',
    geometries: [{ type: 'Point', coordinates: [180, 181] }],
  })
})

test('leaves coordinates that exceed a bound by more than a rounding error', () => {
  const { bbox } = readCallInput(stacItemsSearchOperation, { bbox: [-180.00000001, 0, 180.001, 1] }) as {
    bbox: number[]
  }
  assert.deepEqual(bbox, [-180.00000001, 0, 180.001, 1])
})
