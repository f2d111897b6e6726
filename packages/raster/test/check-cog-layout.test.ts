import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createMemorySource } from '../src/io/source/memory.ts'
import { openRaster } from '../src/formats/open-raster.ts'
import { checkCogLayout } from './check-cog-layout.ts'
import { writeCog } from '../src/cog/writer/cog.ts'

const folder = mkdtempSync(join(tmpdir(), 'layout-'))
after(() => rmSync(folder, { recursive: true }))

async function writeSample(): Promise<Buffer> {
  const [width, height] = [600, 300]
  const { path } = await writeCog(
    {
      width,
      height,
      sampleType: 'uint8',
      bands: [{ name: null, colour: 'gray', scale: 1, offset: 0 }],
      nodata: null,
      masked: true,
      georeferencing: { affine: null, crs: null, geoTags: null },
      readRows: async (_top, rows) => ({
        width,
        rows,
        bands: 1,
        data: new Uint8Array(width * rows).map((_, i) => i * i),
        mask: new Uint8Array(width * rows).fill(255),
      }),
    },
    join(folder, 'sample.tif'),
    { block: 256 },
  )
  return readFileSync(path)
}

test('a good file has no problems, and damage to its layout is found', async () => {
  const good = await writeSample()
  const layout = await checkCogLayout(createMemorySource(good, 'good'))
  assert.deepEqual(layout.problems, [])
  assert.deepEqual(
    layout.levels.map((level) => [level.width, level.height, level.masked]),
    [
      [600, 300, true],
      [300, 150, true],
      [150, 75, true],
    ],
  )
  assert.equal(layout.blocks, (6 + 2 + 1) * 2)

  const find = async (damage: (bytes: Buffer) => void): Promise<string> => {
    const bytes = Buffer.from(good)
    damage(bytes)
    return (await checkCogLayout(createMemorySource(bytes, 'damaged'))).problems.join('; ')
  }
  assert.match(await find((bytes) => bytes.write('YES', bytes.indexOf('EDITION=NO') + 8)), /lacks KNOWN_INCOMPATIBLE/)
  assert.match(
    await find((bytes) => bytes.writeUInt8(bytes.at(-1)! ^ 255, bytes.length - 1)),
    /last four bytes repeated/,
  )
  assert.match(await find((bytes) => bytes.write('X', 8)), /first directory lies at/)

  const directory = good.readUInt32LE(4)
  const entries = Array.from({ length: good.readUInt16LE(directory) }, (_, index) => directory + 2 + index * 12)
  const entryOf = (tag: number): number => entries.find((entry) => good.readUInt16LE(entry) === tag)!
  const listOf = (tag: number): number => good.readUInt32LE(entryOf(tag) + 8)
  assert.match(
    await find((bytes) => bytes.writeUInt32LE(7, entryOf(324) + 4)),
    /lists 7 places and 6 lengths of 6 blocks/,
  )
  assert.match(
    await find((bytes) => bytes.writeUInt32LE(0, listOf(325))),
    /block 0 of image 600×300 is not preceded by its length/,
  )
  assert.match(
    await find((bytes) => bytes.writeUInt32LE(1e8, listOf(325) + 4)),
    /block 1 of image 600×300 does not end with/,
  )
  const moved = good.readUInt32LE(listOf(324)) + 12
  assert.match(
    await find((bytes) => bytes.writeUInt32LE(moved, listOf(324) + 4)),
    /block 1 of image 600×300 does not follow the one before it/,
  )
  const nextOf = (at: number): number => good.readUInt32LE(at + 2 + good.readUInt16LE(at) * 12)
  // The first field of the directory after that of the mask says what kind of image it is.
  const overview = nextOf(nextOf(directory)) + 2
  assert.match(await find((bytes) => bytes.writeUInt32LE(0, overview + 8)), /does not call itself an overview/)
})

test('a file without the layout is a readable raster all the same', async () => {
  const bytes = await writeSample()
  const end = bytes.indexOf('GDAL_STRUCTURAL')
  bytes.write('NO', end)
  assert.ok((await checkCogLayout(createMemorySource(bytes, 'plain'))).problems.length > 0)
  assert.equal((await openRaster(createMemorySource(bytes, 'plain'))).width, 600)
})
