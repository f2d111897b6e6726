import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readWindow } from '../compute/window/read-window.ts'
import { openRasterFolder } from '../../test/make-raster.ts'
import type { Raster, Resampling } from '../types.ts'
import { runProcessToCog } from './process.ts'

const files = openRasterFolder()
after(() => files.close())

async function resample(raster: Raster, resolution: number, resampling: Resampling, useOverviews = false) {
  const path = files.nextPath()
  const process = { name: 'reproject', epsg: null, resolution, resampling, useOverviews } as const
  await runProcessToCog([raster], { path, process, block: 128 })
  const result = await files.open(path)
  return Array.from((await readWindow(result, { window: [0, 0, result.width, result.height] })).data)
}

// Samples whose overviews, rounded to whole numbers at each halving, are not their means.
const value = (x: number, y: number): number => (x % 2 === 0 && y % 2 === 0 ? 1 : 0)

test('resampling to larger pixels takes the mean of all pixels, and that of an overview on request', async () => {
  const raster = await files.make({ width: 512, height: 512, type: 'float32', value: (x, y) => value(x, y) * (1 + x) })
  assert.ok(raster.levels.length > 1)
  for (const factor of [2, 4, 8, 16, 32]) {
    const side = 512 / factor
    const means = Array.from({ length: side * side }, (_, at) => {
      let sum = 0
      for (let x = 0; x < factor; x++)
        for (let y = 0; y < factor; y++) sum += value(x, y) * (1 + (at % side) * factor + x)
      return sum / factor ** 2
    })
    const found = await resample(raster, 10 * factor, 'average')
    for (const [at, sample] of found.entries())
      assert.ok(Math.abs(sample - means[at]!) <= 1e-6 * means[at]!, `${factor}, pixel ${at}: ${sample}`)
  }
})

test('a mean of whole numbers is rounded once, not at each overview', async () => {
  const raster = await files.make({ width: 512, height: 512, type: 'uint8', value })
  const exact = await resample(raster, 80, 'average')
  const approximate = await resample(raster, 80, 'average', true)
  assert.deepEqual(new Set(exact), new Set([0]))
  assert.equal(exact.length, approximate.length)
  const sparse = await files.make({ width: 512, height: 512, type: 'uint8', value: (x, y) => 200 * value(x, y) + 1 })
  assert.deepEqual(new Set(await resample(sparse, 80, 'average')), new Set([51]))
})

test('nearest pixels of a coarser grid are pixels of the file, and of an overview only on request', async () => {
  const raster = await files.make({
    width: 1024,
    height: 1024,
    type: 'uint16',
    value: (x, y) => (x * 7 + y * 13) % 1000,
  })
  const [exact, approximate] = [await resample(raster, 80, 'nearest'), await resample(raster, 80, 'nearest', true)]
  for (const [at, sample] of exact.entries()) {
    const [x, y] = [(at % 128) * 8 + 4, Math.floor(at / 128) * 8 + 4]
    assert.equal(sample, (x * 7 + y * 13) % 1000)
  }
  assert.notDeepEqual(exact, approximate)
})
