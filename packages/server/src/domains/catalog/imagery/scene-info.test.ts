import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeSceneCrs } from './scene-info.ts'

const laea = '+proj=laea +lat_0=50.72 +lon_0=-3.51 +units=m +no_defs'
const crs = (changes: object = {}) => ({ epsg: null, proj4: laea, name: 'unknown', geographic: false, ...changes })

test('the coordinate system is the code of the file, that of its host, its name, or else its definition', () => {
  const code = { 'proj:code': 'EPSG:32630' }
  assert.equal(describeSceneCrs(crs({ epsg: 27_700 }), code), 'EPSG:27700')
  assert.equal(describeSceneCrs(crs(), { ...code, 'proj:epsg': 1 }), 'EPSG:32630')
  assert.equal(describeSceneCrs(crs(), { 'proj:code': null, 'proj:epsg': 32_630 }), 'EPSG:32630')
  assert.equal(describeSceneCrs(crs({ name: 'Grid of a survey' }), { 'proj:epsg': null }), 'Grid of a survey')
  for (const name of ['unknown', 'Unnamed', '']) assert.equal(describeSceneCrs(crs({ name }), {}), laea)
})
