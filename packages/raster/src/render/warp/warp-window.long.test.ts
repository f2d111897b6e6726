import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createCrsFromEpsg } from '../../formats/crs/from-code.ts'
import type { PixelRectangle } from '../plan/mercator-to-pixel.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import { openRaster } from '../../formats/open-raster.ts'
import type { PixelBlock, Raster, Resampling } from '../../types.ts'
import { suggestWarpGrid } from '../../cog/sources/suggest-warp-grid.ts'
import { createEmptyImageBlock, copyPartIntoImage } from './image-parts.ts'
import { readTile } from './tile.ts'
import { prepareWarp } from './warp-grid.ts'
import type { TargetGrid } from './warp-grid.ts'
import { warpWindow } from './warp-window.ts'

const fixtures = new URL('../../../../../fixtures/rasters/', import.meta.url)
const open = (name: string) => openRaster(createMemorySource(readFileSync(new URL(name, fixtures)), name))
const polar = await open('overviews/u8-polar.tif')
const map_m = 20_037_508.342789244
/** The tile of the whole world, as a grid to which an image is exported. */
const world: TargetGrid = {
  crs: await createCrsFromEpsg(3857),
  affine: [-map_m, map_m / 128, 0, map_m, 0, -map_m / 128],
  width: 256,
  height: 256,
}

/** The standard deviation of the first band. */
function deviation({ data, mask, bands }: PixelBlock): number {
  const isCounted = (at: number): boolean => at % bands === 0 && (mask === null || mask[at / bands] !== 0)
  const values = [...data].filter((_, at) => isCounted(at))
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
}

const warpWhole = (raster: Raster, grid: TargetGrid, resampling: Resampling): Promise<PixelBlock> =>
  warpWindow(prepareWarp(raster, grid, resampling), { left: 0, top: 0, right: grid.width, bottom: grid.height })

/** Speckle laid around the south pole: whatever is mixed loses contrast. */
const scene = await open('scenes/bolzano.tif')
const speckle: Raster = {
  ...scene,
  crs: await createCrsFromEpsg(3031),
  affine: [-4e6, 8e6 / scene.width, 0, 4e6, 0, -8e6 / scene.height],
}

/** The rows of a grid from one to another, as a grid of its own. */
function strip(grid: TargetGrid, top: number, bottom: number): TargetGrid {
  const [west, step, , north, , down] = grid.affine
  return { ...grid, affine: [west, step, 0, north + top * down, 0, down], height: bottom - top }
}

test('near a pole as far from it kernels take in what a pixel covers: not less, and not more', async () => {
  const outer = { left: 0, top: 160, right: 256, bottom: 176 }
  const inner = { left: 0, top: 240, right: 256, bottom: 256 }
  const contrast = async (resampling: Resampling, part: PixelRectangle): Promise<number> =>
    deviation(await warpWindow(prepareWarp(speckle, world, resampling), part))
  for (const resampling of ['bilinear', 'cubic'] as const) {
    const kept = (await contrast(resampling, inner)) / (await contrast('nearest', inner))
    assert.ok(kept > 0.95, `${resampling} keeps ${kept}`)
    const left = (await contrast(resampling, outer)) / (await contrast('average', outer))
    assert.ok(left < 1, `${resampling} leaves ${left}`)
  }
})

test('a strip that is exported by itself has the pixels that it has in the whole', async () => {
  for (const resampling of ['bilinear', 'cubic'] as const) {
    const alone = await warpWhole(speckle, strip(world, 208, 240), resampling)
    const part = { left: 0, top: 208, right: 256, bottom: 240 }
    const inWhole = await warpWindow(prepareWarp(speckle, world, resampling), part)
    assert.deepEqual(alone.mask, inWhole.mask)
    const apart = [...alone.data].filter((value, at) => Math.abs(value - inWhole.data[at]!) > 1)
    assert.equal(apart.length, 0, resampling)
  }
})

test('an export to the grid of a tile is that tile, which the oracle holds against gdalwarp cell by cell', async () => {
  for (const resampling of ['nearest', 'bilinear', 'cubic', 'average'] as const) {
    const tile = await readTile(polar, { z: 0, x: 0, y: 0, size: 256, resampling })
    const { data, mask } = await warpWhole(polar, world, resampling)
    assert.deepEqual(mask, tile.mask, resampling)
    assert.equal([...data].filter((value, at) => Math.abs(value - tile.data[at]!) > 1).length, 0, resampling)
  }
})

test('parts of any size that are warped one by one equal the whole', async () => {
  for (const resampling of ['nearest', 'bilinear', 'cubic', 'average'] as const) {
    const warp = prepareWarp(polar, world, resampling)
    assert.equal(warp.scale, 'local')
    const whole = await warpWhole(polar, world, resampling)
    const joined = createEmptyImageBlock(world.width, world.height, 1, polar.sampleType)
    for (let top = 0; top < world.height; top += 100)
      for (let left = 0; left < world.width; left += 75) {
        const part = { left, top, right: Math.min(left + 75, world.width), bottom: Math.min(top + 100, world.height) }
        copyPartIntoImage(joined, await warpWindow(warp, part), { left, top }, 'pixels')
      }
    assert.deepEqual(joined.mask, whole.mask, resampling)
    const apart = [...joined.data].filter((value, at) => Math.abs(value - whole.data[at]!) > 1)
    assert.equal(apart.length, 0, resampling)
  }
})

test('where the systems are even to each other one scale holds for the whole grid', async () => {
  for (const code of [4326, 3857, 3035]) {
    const grid = suggestWarpGrid(scene, await createCrsFromEpsg(code))
    const coarse: TargetGrid = {
      ...grid,
      affine: grid.affine.map((value, at) => (at % 3 === 0 ? value : 4 * value)) as unknown as TargetGrid['affine'],
      width: Math.ceil(grid.width / 4),
      height: Math.ceil(grid.height / 4),
    }
    for (const each of [grid, coarse]) assert.notEqual(prepareWarp(scene, each, 'cubic').scale, 'local')
  }
})

test('a grid that holds more than the raster does not make it curved', async () => {
  const { crs, affine, width, height } = suggestWarpGrid(scene, world.crs)
  const [left, step, , top] = affine
  const around: TargetGrid = {
    crs,
    affine: [left - width * step, step, 0, top + height * step, 0, -step],
    width: 3 * width,
    height: 4 * height,
  }
  const corner: TargetGrid = { ...around, width: width + 20, height: height + 20 }
  for (const grid of [around, corner]) assert.notEqual(prepareWarp(scene, grid, 'bilinear').scale, 'local')
})

test('a grid that is aligned with the raster reads the overview of its own size, whatever rounding adds', async () => {
  const aligned = await open('overviews/u8-aligned.tif')
  const read: number[] = []
  for (const [level, factor] of [1, 2, 4, 8].entries())
    for (const noise of [-1e-9, 0, 1e-9]) {
      const affine = aligned.affine.map((value, at) => (at % 3 === 0 ? value : value * factor * (1 + noise)))
      const grid: TargetGrid = {
        crs: aligned.crs,
        affine: affine as unknown as TargetGrid['affine'],
        width: aligned.width / factor,
        height: aligned.height / factor,
      }
      read.push(prepareWarp(aligned, grid, 'nearest').level.index - level)
    }
  assert.deepEqual(
    read,
    read.map(() => 0),
  )
})
