import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createMemorySource } from '../io/source/memory.ts'
import { openRaster } from '../formats/open-raster.ts'
import type { Raster } from '../types.ts'
import type { CogInput } from '../cog/writer/cog-types.ts'
import { writeCog } from '../cog/writer/cog.ts'
import { blockToPixelRows } from '../../test/pixel-rows.ts'
import { chooseColourBands, renderThumbnail } from './thumbnail.ts'

const folder = mkdtempSync(join(tmpdir(), 'thumbnail-'))
after(() => rmSync(folder, { recursive: true }))

async function makeRaster(name: string, colours: string[], changes: Partial<CogInput> = {}): Promise<Raster> {
  const [width, height] = [900, 450]
  const { path } = await writeCog(
    {
      width,
      height,
      sampleType: 'uint16',
      bands: colours.map((colour) => ({ name: colour, colour: 'undefined', scale: 1, offset: 0 })),
      nodata: 0,
      masked: false,
      georeferencing: { affine: null, crs: null, geoTags: null },
      readRows: async (top, rows) => {
        const count = width * rows
        const data = Uint16Array.from(
          { length: count * colours.length },
          (_, i) => 1 + ((i % count) % width) * 10 + top,
        )
        return blockToPixelRows({
          width,
          height: rows,
          bands: colours.length,
          data,
          mask: new Uint8Array(count).fill(255),
        })
      },
      ...changes,
    },
    join(folder, `${name}.tif`),
  )
  return openRaster(createMemorySource(readFileSync(path), name))
}

test('a thumbnail keeps the shape, finds the colours by name and is stretched', async () => {
  const raster = await makeRaster('scene', ['blue', 'green', 'red', 'nir'])
  assert.deepEqual(chooseColourBands(raster), [2, 1, 0])
  const { bytes, width, height } = await renderThumbnail(raster, { size: 300, format: 'png' })
  assert.deepEqual([width, height], [300, 150])
  const png = Buffer.from(bytes)
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20), png[25]], [300, 150, 2])
})

test('a small raster is not enlarged, a single band is gray', async () => {
  const raster = await makeRaster('single', ['elevation'])
  assert.deepEqual(chooseColourBands(raster), [0])
  const png = Buffer.from((await renderThumbnail(raster, { size: 4000, format: 'png' })).bytes)
  assert.deepEqual([png.readUInt32BE(16), png[25]], [900, 0])
})

test('a flat or empty raster still gives an image', async () => {
  const constantInput = (value: number): Partial<CogInput> => ({
    readRows: async (_top, rows) => ({
      width: 900,
      rows,
      bands: 1,
      data: new Uint16Array(900 * rows).fill(value),
      mask: null,
    }),
  })
  for (const value of [0, 7]) {
    const { bytes } = await renderThumbnail(await makeRaster(`flat-${value}`, ['x'], constantInput(value)), {
      size: 64,
    })
    assert.equal(Buffer.from(bytes).toString('latin1', 8, 12), 'WEBP')
  }
})
