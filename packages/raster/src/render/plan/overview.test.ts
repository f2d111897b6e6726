import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findTileAt, tileBoundsMetres } from '@swath/geo/tile-grid.ts'
import { metresToDegrees } from '@swath/geo/web-mercator.ts'
import { planTileRead } from '../warp/tile.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import { openRaster } from '../../formats/open-raster.ts'
import type { Raster } from '../../types.ts'
import { chooseOverviewLevel } from './overview.ts'

const file = new URL('../../../../../fixtures/rasters/overviews/u8-aligned.tif', import.meta.url)
const aligned = await openRaster(createMemorySource(readFileSync(file), 'aligned'))

/** The image moved to another tile of the zoom on whose grid it lies. */
function movedTo(x: number, y: number): Raster {
  const [west, , east, north] = tileBoundsMetres({ z: 16, x, y })
  const pixel = (east - west) / 256
  return { ...aligned, affine: [west, pixel, 0, north, 0, -pixel] }
}

test('a tile of an aligned grid reads the overview of its own zoom, wherever it lies', () => {
  const misread: string[] = []
  for (let x = 100; x < 65_536; x += 4099)
    for (let y = 9000; y < 56_000; y += 4099) {
      const raster = movedTo(x, y)
      const [longitude, latitude] = metresToDegrees(raster.affine[0] + 1, raster.affine[3] - 1)
      for (const [level, z] of [16, 15, 14, 13].entries()) {
        const plan = planTileRead(raster, { ...findTileAt(longitude, latitude, z), size: 256, bands: [0] })!
        if (plan.level.index !== level) misread.push(`${z} at ${x},${y}: ${plan.level.index}`)
      }
    }
  assert.deepEqual(misread, [])
})

test('noise is less than a thousandth; an image that is truly larger reads the finer level', () => {
  assert.equal(chooseOverviewLevel(aligned, 4 - 1e-9), 2)
  assert.equal(chooseOverviewLevel(aligned, 3.99), 1)
  assert.equal(chooseOverviewLevel(aligned, 1), 0)
  assert.equal(chooseOverviewLevel(aligned, Number.NaN), 0)
  assert.equal(chooseOverviewLevel(aligned, 1000), 3)
})
