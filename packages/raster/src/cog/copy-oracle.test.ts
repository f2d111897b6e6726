import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openFileSource } from '../io/source/file.ts'
import { openRaster } from '../formats/open-raster.ts'
import { readWindow } from '../compute/window/read-window.ts'
import type { BandStatistics, Raster } from '../types.ts'
import { checkCogLayout } from '../../test/check-cog-layout.ts'
import { copyToCog } from './convert.ts'

interface BandExpectation extends Pick<BandStatistics, 'minimum' | 'maximum' | 'mean' | 'stddev'> {
  /** Of the samples of the whole band, little-endian, row after row. */
  readonly sha256: string
}

interface Expectation {
  readonly width: number
  readonly height: number
  readonly geotransform: readonly number[]
  readonly nodata: number | null
  readonly bands: readonly BandExpectation[]
}

const fixtures = fileURLToPath(new URL('../../../../fixtures/copies/', import.meta.url))
const expectations = JSON.parse(readFileSync(join(fixtures, 'gdal.json'), 'utf8')) as Record<string, Expectation>
const folder = mkdtempSync(join(tmpdir(), 'oracle-'))
const opened: Raster[] = []
after(async () => {
  for (const raster of opened) await raster.source.close()
  rmSync(folder, { recursive: true })
})

async function openFile(path: string): Promise<Raster> {
  const raster = await openRaster(await openFileSource(path))
  opened.push(raster)
  return raster
}

async function assertBand(copy: Raster, band: number, expected: BandExpectation): Promise<void> {
  const { data } = await readWindow(copy, { window: [0, 0, copy.width, copy.height], bands: [band] })
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  assert.equal(createHash('sha256').update(bytes).digest('hex'), expected.sha256)
  const { minimum, maximum, mean, stddev } = copy.bands[band]!.statistics!
  assert.deepEqual([minimum, maximum], [expected.minimum, expected.maximum])
  assert.ok(Math.abs(mean - expected.mean) <= 1e-10 * Math.abs(expected.mean))
  assert.ok(Math.abs(stddev - expected.stddev) <= 1e-10 * expected.stddev)
}

for (const [name, expected] of Object.entries(expectations))
  for (const compression of ['deflate', 'zstd'] as const)
    test(`${name} copied with ${compression} holds what GDAL reads from it`, async () => {
      const source = await openFile(join(fixtures, name))
      const { path } = await copyToCog([source], null, join(folder, `${compression}-${name}`), { compression })
      const copy = await openFile(path)
      assert.deepEqual((await checkCogLayout(copy.source)).problems, [])
      assert.deepEqual([copy.width, copy.height, copy.nodata], [expected.width, expected.height, expected.nodata])
      assert.deepEqual(copy.affine, expected.geotransform)
      assert.deepEqual([copy.crs, copy.geoTags, copy.palette], [source.crs, source.geoTags, source.palette])
      for (const [band, facts] of expected.bands.entries()) await assertBand(copy, band, facts)
    })

test('the bands of one scene become one image; its panchromatic band lies on another grid', async () => {
  const names = ['landsat-b4.tif', 'landsat-b3.tif', 'landsat-b2.tif']
  const rasters: Raster[] = []
  for (const name of names) rasters.push(await openFile(join(fixtures, name)))
  const plan = ['red', 'green', 'blue'].map((colour, raster) => ({ raster, band: 0, name: colour, colour }))
  const copy = await openFile((await copyToCog(rasters, plan, join(folder, 'scene.tif'))).path)
  assert.equal(copy.levels[0]!.photometric, 2)
  for (const [band, name] of names.entries()) await assertBand(copy, band, expectations[name]!.bands[0]!)
  const pan = await openFile(join(fixtures, 'landsat-b8.tif'))
  await assert.rejects(copyToCog([...rasters, pan], null, join(folder, 'refused.tif')), {
    kind: 'grids_differ',
    message: /file 4/,
  })
})
