import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { metresPerPixel, tileAt, tileBoundsMetres } from '@swath/geo/tile-grid.ts'
import { memorySource } from '../source/memory.ts'
import { openRaster } from '../tiff/open.ts'
import { mapToPixels, touchedPart } from './mapping.ts'
import { locateNodes } from './positions.ts'

const SCENES = new URL('../../../../fixtures/rasters/scenes/', import.meta.url)
const CASES = [
  ['bolzano.tif', 11.316, 46.4757, [9, 12, 13, 15]],
  ['exe-27700.tif', -3.51, 50.72, [8, 11, 13]],
  ['exe-laea.tif', -3.51, 50.72, [11, 14]],
  ['pucallpa.tif', -74.6, -8.5, [5, 9, 12]],
  ['disc-jpeg-mask.tif', -75, 20, [1, 2, 4]],
] as const

for (const [name, longitude, latitude, zooms] of CASES) {
  test(`positions in ${name} are those of the exact projection to a ten-thousandth of a pixel`, async () => {
    const raster = await openRaster(memorySource(readFileSync(new URL(name, SCENES)), name))
    const mapping = mapToPixels(raster)
    for (const z of zooms) {
      const [west, , , north] = tileBoundsMetres(tileAt(longitude, latitude, z))
      const step = metresPerPixel(z)
      const part = touchedPart(raster, { west, north, step }, 256, 256)!
      const grid = {
        west: west + (part.left + 0.5) * step,
        north: north - (part.top + 0.5) * step,
        step,
        columns: part.right - part.left,
        rows: part.bottom - part.top,
      }
      const positions = locateNodes(mapping, grid, 1)
      for (let at = 0; at < positions.x.length; at += 13) {
        const column = at % grid.columns
        const row = Math.floor(at / grid.columns)
        const [x, y] = mapping.toPixel(grid.west + column * step, grid.north - row * step)
        if (Number.isNaN(x)) assert.ok(Number.isNaN(positions.x[at]!))
        else
          assert.ok(Math.hypot(x - positions.x[at]!, y - positions.y[at]!) < 1e-4, `${name} z${z} at ${column},${row}`)
      }
    }
  })
}

test('only the part of a picture near the scene is looked up', async () => {
  const raster = await openRaster(memorySource(readFileSync(new URL('hls-exe.tif', SCENES)), 'hls'))
  const z = 8
  const [west, , , north] = tileBoundsMetres(tileAt(-3.51, 50.72, z))
  const part = touchedPart(raster, { west, north, step: metresPerPixel(z) }, 256, 256)!
  assert.ok(part.right - part.left < 40 && part.bottom - part.top < 40)
  assert.equal(touchedPart(raster, { west: west + 5e6, north, step: metresPerPixel(z) }, 256, 256), null)
})
