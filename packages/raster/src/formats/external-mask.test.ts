import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readPreview } from '../render/warp/preview.ts'
import { RasterFailure } from '../failures.ts'
import { createRasterPool } from '../pool/pool.ts'
import { createMemorySource } from '../io/source/memory.ts'
import { attachExternalMask, openRasterFile } from './sidecar-files.ts'
import { openRaster } from './open-raster.ts'
import { readWindow } from '../compute/window/read-window.ts'

const fixtures = new URL('../../../../fixtures/rasters/', import.meta.url)
const path = fileURLToPath(new URL('sidecar/u8-mask-beside.tif', fixtures))
const inMemory = (name: string) => createMemorySource(readFileSync(new URL(name, fixtures)), name)
const inside = await openRaster(inMemory('packings/u8-mask-overviews.tif'))
const pool = createRasterPool({ threads: 1, cache_bytes: 16_777_216 })
after(() => pool.close())

test('a mask in a file beside the image is the mask that was inside', async () => {
  const window = [0, 0, inside.width, inside.height] as const
  const expected = await readWindow(inside, { window })
  assert.ok(expected.mask.includes(0) && expected.mask.includes(255))
  const beside = await openRasterFile(path)
  assert.deepEqual(await readWindow(beside, { window }), expected)
  await beside.source.close()
  const mask = createMemorySource(readFileSync(`${path}.msk`), 'mask')
  const remote = attachExternalMask(await openRaster(inMemory('sidecar/u8-mask-beside.tif')), await openRaster(mask))
  assert.deepEqual(await readWindow(remote, { window }), expected)
})

test('workers read it too, wherever it lies; overviews without a mask are left out', async () => {
  const mask = createMemorySource(readFileSync(`${path}.msk`), 'mask')
  const remote = attachExternalMask(await openRaster(inMemory('sidecar/u8-mask-beside.tif')), await openRaster(mask))
  const local = await openRasterFile(path)
  assert.equal(local.levels.length, 1)
  const preview = { width: 30, height: 20 }
  const expected = await readPreview({ ...inside, levels: inside.levels.slice(0, 1) }, preview)
  for (const raster of [remote, local, remote]) assert.deepEqual(await pool.run('preview', [raster], preview), expected)
  await local.source.close()
})

test('a mask of another size is refused', async () => {
  const other = inMemory('packings/u8-1-bit.tif')
  const isOther = (error: unknown): boolean => error instanceof RasterFailure && error.kind === 'grids_differ'
  const [raster, mask] = [await openRaster(inMemory('sidecar/u8-mask-beside.tif')), await openRaster(other)]
  assert.throws(() => attachExternalMask(raster, mask), isOther)
})
