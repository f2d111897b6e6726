import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addProjectionCode, storeProjectionCode, withoutDerivedCodes } from './projection-code.ts'
import { toCurrentExtensions } from './stac-extensions.ts'

type Members = Record<string, unknown>

const stored = (members: Members): Members => {
  storeProjectionCode(members)
  return members
}
const shown = (members: Members): Members => {
  addProjectionCode(members)
  return members
}

test('a code of EPSG is stored as its number, and counts before a number beside it; other codes stay', () => {
  assert.deepEqual(stored({ 'proj:code': 'EPSG:32633' }), { 'proj:epsg': 32_633 })
  assert.deepEqual(stored({ 'proj:code': ' epsg:4326', 'proj:epsg': 3857 }), { 'proj:epsg': 4326 })
  assert.deepEqual(stored({ 'proj:code': 'ESRI:54009' }), { 'proj:code': 'ESRI:54009', 'proj:epsg': null })
  assert.deepEqual(stored({ 'proj:code': null }), { 'proj:epsg': null })
  assert.deepEqual(stored({ 'proj:epsg': 4326 }), { 'proj:epsg': 4326 })
  assert.deepEqual(stored({ gsd: 1 }), { gsd: 1 })
})

test('a stored number is shown with its code, anything else as it is', () => {
  assert.deepEqual(shown({ 'proj:epsg': 4326 }), { 'proj:epsg': 4326, 'proj:code': 'EPSG:4326' })
  for (const members of [{ 'proj:epsg': null }, { 'proj:epsg': 1.5 }, { 'proj:epsg': '4326' }, {}])
    assert.deepEqual(shown({ ...members }), members)
  const other = { 'proj:epsg': 3857, 'proj:code': 'ESRI:54009' }
  assert.deepEqual(shown({ ...other }), other)
})

test('a patch is applied to a Feature without the codes that its numbers say', () => {
  const feature = {
    id: 'a',
    properties: { 'proj:epsg': 4326, 'proj:code': 'EPSG:4326', gsd: 1 },
    assets: { a: { 'proj:epsg': 3857, 'proj:code': 'EPSG:3857' }, b: { 'proj:epsg': null, 'proj:code': 'ESRI:54009' } },
  }
  assert.deepEqual(withoutDerivedCodes(feature), {
    id: 'a',
    properties: { 'proj:epsg': 4326, gsd: 1 },
    assets: { a: { 'proj:epsg': 3857 }, b: { 'proj:epsg': null, 'proj:code': 'ESRI:54009' } },
  })
})

test('versions of the projection extension that forbid the code are shown as the one that has both', () => {
  const url = (version: string): string => `https://stac-extensions.github.io/projection/${version}/schema.json`
  const other = 'https://stac-extensions.github.io/view/v1.0.0/schema.json'
  assert.deepEqual(toCurrentExtensions([url('v1.0.0'), url('v1.1.0'), other]), [url('v1.2.0'), url('v1.2.0'), other])
})
