import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { openRasterFolder } from '../../test/make-raster.ts'
import { crsToLonLat } from '../formats/crs/crs.ts'
import type { Raster } from '../types.ts'
import { isLongJob } from '../pool/jobs.ts'
import { findValuesInOverviews, requireSourceValues } from './require-values.ts'

const files = openRasterFolder()
after(() => files.close())

const size = 600
const nodata = 65_535

/** Values in the western half, and in one pixel of the eastern one. */
const half = (): Promise<Raster> =>
  files.make({ width: size, height: size, nodata, value: (x, y) => (x < 300 || (x === 500 && y === 400) ? 7 : nodata) })
const empty = (): Promise<Raster> => files.make({ width: size, height: size, nodata, value: () => nodata })

/** The box of some pixels. */
function boxOf(raster: Raster, [left, top, right, bottom]: readonly [number, number, number, number]): AreaGeometry {
  const corner = (x: number, y: number) => crsToLonLat(raster.crs, 500_000 + 10 * x, 6_000_000 - 10 * y)
  return {
    type: 'Polygon',
    coordinates: [
      [corner(left, top), corner(left, bottom), corner(right, bottom), corner(right, top), corner(left, top)],
    ],
  }
}

test('an area without any value is refused, one with a single pixel of a value is not', async () => {
  const raster = await half()
  const clip = (...box: [number, number, number, number]): Promise<void> =>
    requireSourceValues([raster], { process: { name: 'clip', area: boxOf(raster, box) } })
  await assert.rejects(clip(310, 10, 590, 390), {
    kind: 'outside',
    message: /no data in the area.*choose an area with/,
  })
  await clip(310, 10, 590, 590)
  await clip(10, 10, 50, 50)
})

test('an image, or a band of it, without any value is refused for the processes that read it', async () => {
  const raster = await empty()
  const refused = { kind: 'outside', message: /has no data: all of its pixels are nodata/ }
  await assert.rejects(
    requireSourceValues([raster], { process: { name: 'contours', band: 0, interval: 1, base: 0 } }),
    refused,
  )
  await assert.rejects(
    requireSourceValues([raster], { process: { name: 'sieve', band: 0, min_pixels: 2, connectedness: 4 } }),
    refused,
  )
  await assert.rejects(requireSourceValues([raster], { process: { name: 'zarr' } }), refused)
  await requireSourceValues([raster, await half()], {
    process: {
      name: 'mosaic',
      pixelSelection: 'first',
      resampling: 'nearest',
      bandNames: null,
      allowGaps: false,
    } as never,
  })
  await requireSourceValues([raster], {
    process: {
      name: 'rasterize',
      areas: [],
      sampleType: 'uint8',
      background: 0,
    },
  })
})

test('reading overviews for values can be cancelled, and runs in a thread of its own', async () => {
  assert.equal(isLongJob('requireValues'), true)
  const raster = await empty()
  const request = { process: { name: 'zarr' }, signal: AbortSignal.abort() } as const
  await assert.rejects(requireSourceValues([raster], request), { kind: 'cancelled' })
  await assert.rejects(findValuesInOverviews([raster], request), { kind: 'cancelled' })
})

test('values are found in an overview of one of the first files', async () => {
  const [values, none] = [await half(), await empty()]
  const find = (rasters: readonly Raster[]): Promise<boolean> =>
    findValuesInOverviews(rasters, { process: { name: 'zarr' } })
  assert.equal(await find([values]), true)
  assert.equal(await find([none, none, none, values]), true)
  assert.equal(await find([none]), false)
  assert.equal(await find([none, none, none, none, values]), false)
  assert.equal(await find([none, await files.make({ width: 10, height: 10, value: () => 0 })]), true)
})

test('a file whose pixels all have values is not read', async () => {
  const raster = await files.make({ width: 10, height: 10, value: () => 0 })
  const source = { ...raster.source, read: () => assert.fail('pixels are read') }
  await requireSourceValues([{ ...raster, source } as never], {
    process: { name: 'contours', band: 0, interval: 1, base: 0 },
  })
})
