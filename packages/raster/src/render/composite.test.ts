import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findTileAt } from '@swath/geo/tile-grid.ts'
import { computeLonLatBounds } from '../formats/crs/crs.ts'
import { readTile, planTileRead } from './warp/tile.ts'
import { encodeRenderedImage } from './encode/image.ts'
import { createCountingSource } from '../io/source/counting.ts'
import { createMemorySource } from '../io/source/memory.ts'
import { openRaster } from '../formats/open-raster.ts'
import { computeWindowCost } from '../compute/window/window.ts'
import type { Raster } from '../types.ts'
import { renderComposite } from './composite.ts'
import type { RasterStyle } from './style/render-style.ts'
import { applyStyle } from './style/apply-style.ts'

const bytes = readFileSync(new URL('../../../../fixtures/rasters/scenes/naip-nd.tif', import.meta.url))
const scene = await openRaster(createMemorySource(bytes, 'scene'))
const [west, south, east, north] = computeLonLatBounds(scene)
const middle = (z: number) => ({ ...findTileAt((west + east) / 2, (south + north) / 2, z), size: 256 }) as const
const tile = middle(16)
const [a, b, ...others] = scene.affine
/** The same image, moved to the west by half of its width. */
const half: Raster = { ...scene, affine: [a - Math.floor(scene.width / 2) * b, b, ...others] }

const colour: RasterStyle = { kind: 'bands' }
const gray: RasterStyle = { kind: 'bands', ranges: [[0, 100]] }
const inColour = { style: colour, bands: [0, 1, 2], resampling: 'nearest' } as const
const inGray = { style: gray, bands: [0], resampling: 'nearest' } as const
const composite = (rasters: readonly Raster[], parts: Parameters<typeof renderComposite>[1]['layers'], at = tile) =>
  renderComposite(rasters, { ...at, layers: parts, format: 'png' })

test('each raster has its own style, and the first one is on top', async () => {
  const [front, back] = [await readTile(half, { ...tile, ...inGray }), await readTile(scene, { ...tile, ...inColour })]
  const [above, below] = [applyStyle(front, gray), applyStyle(back, colour)]
  const data = new Uint8Array(256 * 256 * 4)
  const stride = (image: typeof above): number => image.data.length / (256 * 256)
  for (let at = 0; at < 256 * 256; at++) {
    const value = above.data[at * stride(above)]!
    if (front.mask[at] !== 0) data.set([value, value, value, 255], at * 4)
    else if (back.mask[at] !== 0)
      data.set([...below.data.subarray(at * stride(below), at * stride(below) + 3), 255], at * 4)
  }
  const expected = encodeRenderedImage({ width: 256, height: 256, kind: 'rgba', data }, 'png')
  assert.deepEqual(await composite([half, scene], [inGray, inColour]), expected)
  assert.ok(front.mask.includes(255) && front.mask.includes(0), 'both are seen')
})

test('what lies below a full tile is never read, and a tile of nothing is transparent', async () => {
  const read = createCountingSource(createMemorySource(bytes, 'other'))
  const other = await openRaster(read)
  const before = read.count.reads
  await composite([scene, other], [inColour, inColour], middle(18))
  assert.equal(read.count.reads, before)
  const nothing = { width: 256, height: 256, kind: 'rgba', data: new Uint8Array(256 * 256 * 4) } as const
  assert.deepEqual(await composite([], []), encodeRenderedImage(nothing, 'png'))
})

test('all rasters together stay within the budget', async () => {
  const cost = (raster: Raster, part: typeof inGray | typeof inColour): number => {
    const { level, window } = planTileRead(raster, { ...tile, ...part })!
    return computeWindowCost(raster, level, window, part.bands.length).decodedBytes
  }
  const need = cost(half, inGray) + cost(scene, inColour)
  const within = (budget_bytes: number) =>
    renderComposite([half, scene], { ...tile, layers: [inGray, inColour], format: 'png', budget_bytes })
  await within(need)
  await assert.rejects(within(need - 1), { kind: 'budget' })
})
