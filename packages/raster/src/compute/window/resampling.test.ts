import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { findTileAt } from '@swath/geo/tile-grid.ts'
import { computeLonLatBounds } from '../../formats/crs/crs.ts'
import { readMosaicTile } from '../../render/warp/mosaic-tile.ts'
import { readTile } from '../../render/warp/tile.ts'
import { RasterFailure } from '../../failures.ts'
import { readPoint } from '../statistics/point.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import { openRaster } from '../../formats/open-raster.ts'
import { readWindow } from './read-window.ts'
import { copyToCog } from '../../cog/convert.ts'

const file = new URL('../../../../../fixtures/rasters/scenes/tree-cover.tif', import.meta.url)
const raster = await openRaster(createMemorySource(await readFile(file), 'palette'))
const whole = await readWindow(raster, { window: [0, 0, raster.width, raster.height] })
const [west, south, east, north] = computeLonLatBounds(raster)
const [longitude, latitude] = [(west + east) / 2, (south + north) / 2]
const tile = { ...findTileAt(longitude, latitude, 11), size: 256 } as const

test('a tile of a palette image is the same however it is to be resampled, with a palette that can be read or not', async () => {
  const nearest = await readTile(raster, tile)
  for (const resampling of ['bilinear', 'cubic', 'average'] as const) {
    assert.ok(isDeepStrictEqual(await readTile(raster, { ...tile, resampling }), nearest), resampling)
    assert.ok(isDeepStrictEqual(await readTile({ ...raster, palette: null }, { ...tile, resampling }), nearest))
  }
})

test('a mosaic has no mean of indices', async () => {
  const isRefused = (error: unknown): boolean => error instanceof RasterFailure && error.kind === 'request'
  await assert.rejects(readMosaicTile([raster, raster], { ...tile, pixelSelection: 'mean' }), isRefused)
})

test('a point between pixels has the index of one of them', async () => {
  for (let step = 0; step < 20; step++) {
    const at = [west + ((east - west) * (step + 0.3)) / 20, latitude] as const
    const near = await readPoint(raster, ...at)
    assert.deepEqual(await readPoint(raster, ...at, { resampling: 'bilinear' }), near)
  }
})

test('overviews of a written palette image hold indices of the pixels below, even if averages are requested', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'swath-palette-'))
  const path = join(folder, 'copy.tif')
  await copyToCog([raster], null, path, { overviews: 'average', block: 128 })
  const copy = await openRaster(createMemorySource(await readFile(path), 'copy'))
  await rm(folder, { recursive: true })
  const { width, height } = copy.levels[1]!
  const half = await readWindow(copy, { level: 1, window: [0, 0, width, height] })
  const isFromBelow = (value: number, at: number): boolean => {
    const first = 2 * (at % width) + 2 * Math.floor(at / width) * raster.width
    return [0, 1, raster.width, raster.width + 1].some((step) => whole.data[first + step] === value)
  }
  assert.ok(half.data.every(isFromBelow))
})
