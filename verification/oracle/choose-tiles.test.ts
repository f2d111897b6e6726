import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openRasterFile } from '@swath/raster'
import { chooseTiles, formatSignature } from './choose-tiles.ts'

const fixtures = new URL('../../fixtures/rasters/packings/', import.meta.url)

async function signatureOfFile(name: string): Promise<string> {
  const raster = await openRasterFile(fileURLToPath(new URL(name, fixtures)))
  await raster.source.close()
  return formatSignature(raster)
}

test('formatSignature is equal for files that differ in compression only', async () => {
  const signatures = await Promise.all(
    ['u8-packbits.tif', 'u8-lzw-big-endian.tif', 'u8-lerc-bands.tif'].map(signatureOfFile),
  )
  assert.equal(new Set(signatures).size, 1)
})

test('formatSignature differs by sample type, bands, nodata, georeferencing and decoding', async () => {
  const names = [
    'u8-lzw-big-endian.tif',
    'u8-mask.tif',
    'u8-alpha.tif',
    'u8-palette.tif',
    'u8-jpeg-four-bands.tif',
    'u8-planar-tiled-predictor2.tif',
    'u16-big-tiff.tif',
    'u16-rotated.tif',
    'u16-nodata-highest.tif',
    'u16-planar-strips.tif',
    'f32-16-bits.tif',
    'f32-nodata-nan.tif',
  ]
  const signatures = await Promise.all(names.map(signatureOfFile))
  assert.equal(new Set(signatures).size, names.length)
})

test('chooseTiles returns one tile for effort least, and more for short and full', async () => {
  const raster = await openRasterFile(fileURLToPath(new URL('u16-rotated.tif', fixtures)))
  await raster.source.close()
  const [full, short, least] = (['full', 'short', 'least'] as const).map((effort) => chooseTiles(raster, effort))
  assert.equal(least!.length, 1)
  assert.ok(short!.length >= 3 && full!.length > short!.length)
})
