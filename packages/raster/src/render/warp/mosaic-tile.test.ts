import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findTileAt } from '@swath/geo/tile-grid.ts'
import { computeLonLatBounds } from '../../formats/crs/crs.ts'
import { RasterFailure } from '../../failures.ts'
import { createCountingSource } from '../../io/source/counting.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import { openRaster } from '../../formats/open-raster.ts'
import { computeWindowCost } from '../../compute/window/window.ts'
import type { Raster } from '../../types.ts'
import { readMosaicTile } from './mosaic-tile.ts'
import { readTile, planTileRead } from './tile.ts'

const bytes = readFileSync(new URL('../../../../../fixtures/rasters/scenes/naip-nd.tif', import.meta.url))
const scene = await openRaster(createMemorySource(bytes, 'scene'))
const [west, south, east, north] = computeLonLatBounds(scene)
const tile = { ...findTileAt((west + east) / 2, (south + north) / 2, 16), size: 256 } as const

/** The same image, moved by a number of its pixels. */
const moved = (raster: Raster, columns: number): Raster => {
  const [a, b, c, d, e, f] = raster.affine
  return { ...raster, affine: [a + columns * b, b, c, d + columns * e, e, f] }
}

test('where the first raster ends the next is seen', async () => {
  const half = moved(scene, -Math.floor(scene.width / 2))
  const [front, back, both] = [
    await readTile(half, tile),
    await readTile(scene, tile),
    await readMosaicTile([half, scene], tile),
  ]
  const count = 256 * 256
  let [seen, behind] = [0, 0]
  for (let at = 0; at < count; at++) {
    const shown = front.mask[at] !== 0 ? front : back
    if (shown === front) seen++
    else behind++
    assert.equal(both.mask[at], shown.mask[at])
    assert.equal(both.data[at], shown.data[at])
  }
  assert.ok(seen > 1000 && behind > 1000, `${seen} pixels of the one, ${behind} of the other`)
})

test('what lies below a full tile, or beside it, is never read', async () => {
  const read = createCountingSource(createMemorySource(bytes, 'other'))
  const other = await openRaster(read)
  const before = read.count.reads
  const full = { ...findTileAt((west + east) / 2, (south + north) / 2, 18), size: 256 } as const
  const mosaic = await readMosaicTile([scene, other], full)
  assert.ok(mosaic.mask.every((value) => value === 255))
  await readMosaicTile([moved(other, 100_000), scene], full)
  assert.equal(read.count.reads, before)
})

test('the budget is that of all together', async () => {
  const half = moved(scene, -Math.floor(scene.width / 2))
  const plan = planTileRead(half, { ...tile, bands: [0, 1, 2, 3] })!
  const bounded = { ...tile, budget_bytes: 2.5 * computeWindowCost(half, plan.level, plan.window, 4).decodedBytes }
  assert.ok((await readMosaicTile([half, half], bounded)).mask.includes(0), 'they leave a part open')
  const isBudget = (error: unknown): boolean => error instanceof RasterFailure && error.kind === 'budget'
  await assert.rejects(readMosaicTile([half, half, half], bounded), isBudget)
})

test('a grid whose pixels are as high as the universe is rendered without an error', async () => {
  const [a, b, c, d, e] = scene.affine
  const high: Raster = { ...scene, affine: [a, b / 1e9, c, d, e, -1e132] }
  const outcome = await readTile(high, { ...tile, resampling: 'bilinear' }).catch((error: unknown) => error)
  assert.ok(outcome instanceof RasterFailure || (outcome as { mask: Uint8Array }).mask.length === 256 * 256)
})
