import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RasterFailure } from '@swath/raster'
import { Problem } from '../../../engine/problem.ts'
import type { RasterBandMetadata } from '../../items/assets/raster-metadata.ts'
import { chooseDefaultBands } from '../../visualization/default-bands.ts'
import { findBandLook } from './band-look.ts'
import { findBand, parseBandList } from './bands.ts'
import { toRasterProblem } from '../failures.ts'
import { computeZoomRangeAndBounds } from '../zoom.ts'

const band = (name: string | null, common_name: string | null, colour = 'undefined'): RasterBandMetadata => ({
  name,
  common_name,
  colour,
  scale: 1,
  offset: 0,
  statistics: null,
})

test('findBand prefers names to numbers and never guesses', () => {
  const landsat = [band('B2', 'blue'), band('B3', 'green'), band('B4', 'red'), band('B5', 'nir')]
  assert.equal(findBand(landsat, 'B4'), 2, 'the band with this name')
  assert.equal(findBand(landsat, 'b4'), 3, 'the fourth band')
  assert.equal(findBand(landsat, 'B1'), 0, 'no band has this name: the first')
  assert.equal(findBand(landsat, 'nir'), 3)
  assert.equal(findBand(landsat, 'b5'), 3, 'there is no fifth band, but one with this name in other case')
  assert.equal(findBand(landsat, 'b0'), null)
  assert.equal(findBand([band('x', 'rededge'), band('y', 'rededge')], 'rededge'), null, 'two have the common name')
  assert.deepEqual(parseBandList(landsat, '4, 3,2'), [3, 2, 1])
  assert.deepEqual(parseBandList(landsat, 'red,B3,b1'), [2, 1, 0])
  assert.equal(parseBandList(landsat, '1,5,2'), '5')
  assert.equal(parseBandList(landsat, '1,,2'), '')
})

test('default bands are true color by common names, then by color interpretation, else the first band', () => {
  assert.deepEqual(chooseDefaultBands([band('a', 'blue'), band('b', 'green'), band('c', 'red')]), [2, 1, 0])
  assert.deepEqual(
    chooseDefaultBands([band(null, null, 'red'), band(null, null, 'green'), band(null, null, 'blue')]),
    [0, 1, 2],
  )
  const mislabelled = ['swir16', 'nir', 'red', 'green'].map((name, index) =>
    band(null, name, ['red', 'green', 'blue'][index]),
  )
  assert.deepEqual(chooseDefaultBands(mislabelled), [0], 'given names override the color interpretation of the file')
  assert.deepEqual(chooseDefaultBands([band(null, null, 'alpha'), band(null, null, 'gray')]), [1])
})

test('an index without a usable scale has its colours alone', () => {
  const look = (scale: number) => findBandLook({ ...band('ndvi', null), scale })
  assert.deepEqual([look(0)?.title, look(0)?.range], [look(1)?.title, null])
  assert.ok(look(0.5)?.range?.every(Number.isFinite))
})

test('zoom levels follow the pixel size, and bounds across the antimeridian cover the globe', () => {
  const global = computeZoomRangeAndBounds({
    bounds: [-180, -85.0511287798066, 180, 85.0511287798066],
    width: 256,
    height: 256,
  })
  assert.deepEqual([global.minzoom, global.maxzoom], [0, 0])
  const fiji = computeZoomRangeAndBounds({ bounds: [179, -18, -179, -16], width: 2000, height: 2000 })
  assert.deepEqual(fiji.bounds, [-180, -18, 180, -16])
  assert.deepEqual(fiji.center, [180, -17])
  // 2° are 222,639 m across 2,000 pixels: 111 m each; level 11 has 76 m, level 10 has 153 m.
  assert.equal(fiji.maxzoom, 11)
  assert.equal(fiji.minzoom, 7)
})

test('every kind of raster failure has its problem, and the cause of a source failure takes precedence', () => {
  const problemName = (error: unknown) => (error instanceof Problem ? error.problem : 'fault')
  assert.equal(problemName(toRasterProblem(new RasterFailure('damaged', 'x'))), 'unsupported-raster')
  assert.equal(problemName(toRasterProblem(new RasterFailure('budget', 'x'))), 'budget-exceeded')
  assert.equal(problemName(toRasterProblem(new RasterFailure('expression', 'x'))), 'validation')
  assert.equal(problemName(toRasterProblem(new RasterFailure('write', 'x'))), 'fault')
  const cause = new Problem('forbidden', 'no')
  assert.equal(toRasterProblem(new RasterFailure('source', 'x', { cause })), cause)
  const budget = new RasterFailure('budget', 'too many reads')
  assert.equal(problemName(toRasterProblem(new RasterFailure('source', 'x', { cause: budget }))), 'budget-exceeded')
  assert.equal(problemName(toRasterProblem(new RasterFailure('source', 'x'))), 'fault')
})
