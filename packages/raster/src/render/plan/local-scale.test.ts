import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readTile, planTileRead } from '../warp/tile.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import { openRaster } from '../../formats/open-raster.ts'
import type { PixelBlock } from '../../types.ts'

const fixtures = new URL('../../../../../fixtures/rasters/', import.meta.url)
const open = (name: string) => openRaster(createMemorySource(readFileSync(new URL(name, fixtures)), name))
const polar = await open('overviews/u8-polar.tif')
const whole = { z: 0, x: 0, y: 0, size: 256 } as const

function deviation({ data, mask }: PixelBlock): number {
  const values = [...data].filter((_, at) => mask[at] !== 0)
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
}

test('an image around a pole keeps its contrast in the tile of the whole world', async () => {
  const nearest = deviation(await readTile(polar, whole))
  for (const resampling of ['bilinear', 'cubic'] as const) {
    const share = deviation(await readTile(polar, { ...whole, resampling })) / nearest
    assert.ok(share > 0.95 && share < 1.02, `${resampling}: ${share}`)
  }
})

test('cells of tiles side by side have one kernel along their common edge, and read a level fine enough for the finest', () => {
  const plan = planTileRead(polar, { ...whole, bands: [0], resampling: 'bilinear' })!
  assert.equal(plan.level.index, 0)
  const scales = plan.cells!.map(({ scale }) => Math.min(...scale))
  assert.ok(Math.max(...scales) / Math.min(...scales) > 3, 'the scale differs from cell to cell')
  const spans = plan.cells!.map(({ part }) => part.right - part.left)
  assert.ok(Math.max(...spans) <= 16)
})

test('where the map is even the box of the tile decides, as in gdalwarp', async () => {
  const scene = await open('scenes/bolzano.tif')
  for (const z of [12, 9, 7]) {
    const [x, y] = [Math.floor(((11.316 + 180) / 360) * 2 ** z), { 12: 1449, 9: 181, 7: 45 }[z]!]
    const plan = planTileRead(scene, { z, x, y, size: 256, bands: [0], resampling: 'cubic' })
    assert.ok(plan && plan.cells === undefined, `z${z}`)
  }
})

test('a level that the budget does not allow gives way to a coarser one', () => {
  const request = { ...whole, bands: [0], resampling: 'bilinear' } as const
  assert.equal(planTileRead(polar, { ...request, budget_bytes: 40_000 })!.level.index, 1)
  assert.throws(() => planTileRead(polar, { ...request, budget_bytes: 1000 }), /would need/)
})
