import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readPreview } from '../render/warp/preview.ts'
import { createRasterPool } from '../pool/pool.ts'
import { createMemorySource } from '../io/source/memory.ts'
import { openRaster } from './open-raster.ts'
import { readWindow } from '../compute/window/read-window.ts'
import { attachExternalOverviews, openRasterFile } from './sidecar-files.ts'

interface Expected {
  readonly levels: readonly { width: number; height: number; mask: string; samples: string }[]
}

const fixtures = new URL('../../../../fixtures/rasters/', import.meta.url)
const expected = JSON.parse(readFileSync(new URL('overviews.json', fixtures), 'utf8')) as Record<string, Expected>
const { levels } = expected['overviews/u8-beside.tif']!
const path = fileURLToPath(new URL('overviews/u8-beside.tif', fixtures))
const inMemory = (name: string) => createMemorySource(readFileSync(new URL(name, fixtures)), name)
const digest = (bytes: NodeJS.ArrayBufferView): string =>
  createHash('md5')
    .update(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    .digest('hex')
const pool = createRasterPool({ threads: 1, cache_bytes: 16_777_216 })
after(() => pool.close())

test('overviews and masks in files beside the image are those of GDAL, in this thread and in another', async () => {
  const raster = await openRasterFile(path)
  assert.deepEqual(
    raster.levels.map(({ index, width, height }) => [index, width, height]),
    levels.map(({ width, height }, index) => [index, width, height]),
  )
  for (const [level, { width, height, mask, samples }] of levels.entries()) {
    const request = { level, window: [0, 0, width, height] } as const
    const block = await readWindow(raster, request)
    assert.deepEqual([digest(block.mask), digest(block.data)], [mask, samples], `level ${level}`)
  }
  const small = { width: 20, height: 15 }
  assert.deepEqual(await pool.run('preview', [raster], small), await readPreview(raster, small))
  await raster.source.close()
})

test('overviews from anywhere are used unless they are of another kind or would show what a mask hides', async () => {
  const names = ['overviews/u8-beside.tif', 'overviews/u8-beside.tif.ovr'] as const
  const raster = attachExternalOverviews(await openRaster(inMemory(names[0])), await openRaster(inMemory(names[1])))
  assert.equal(raster.levels.length, 3)
  const block = await readWindow(raster, { level: 2, window: [0, 0, 23, 18] })
  assert.equal(digest(block.data), levels[2]!.samples)
  const masked = attachExternalOverviews(
    await openRaster(inMemory('packings/u8-mask.tif')),
    await openRaster(inMemory(names[1])),
  )
  const single = attachExternalOverviews(
    await openRaster(inMemory('packings/u8-1-bit.tif')),
    await openRaster(inMemory(names[1])),
  )
  assert.deepEqual([masked.levels.length, single.levels.length], [1, 1])
  const inside = await openRaster(inMemory('overviews/u8-aligned.tif'))
  assert.equal(inside.overviewSource, undefined)
})
