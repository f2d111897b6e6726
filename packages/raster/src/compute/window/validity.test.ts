import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readTile } from '../../render/warp/tile.ts'
import { parseExpression } from '../expression/expression.ts'
import { computeRasterStatistics } from '../statistics/raster-statistics.ts'
import { computeBandStatistics } from '../statistics/statistics.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import { openRaster } from '../../formats/open-raster.ts'
import { readWindow } from './read-window.ts'
import { findEffectiveNodata } from './validity.ts'

interface Expected {
  readonly masks: readonly string[]
  readonly valid: number
  readonly minimum: number
  readonly maximum: number
  readonly mean: number
  readonly tile: { readonly z: number; readonly x: number; readonly y: number; readonly valid: number }
}

const fixtures = new URL('../../../../../fixtures/rasters/', import.meta.url)
const expected = JSON.parse(readFileSync(new URL('validity.json', fixtures), 'utf8')) as Record<string, Expected>
const digest = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex')

for (const [name, { masks, valid, minimum, maximum, mean, tile }] of Object.entries(expected))
  test(`${name} has the valid pixels of GDAL's mask bands in windows, overviews, statistics and tiles`, async () => {
    const raster = await openRaster(createMemorySource(readFileSync(new URL(`validity/${name}`, fixtures)), name))
    assert.equal(raster.levels.length, masks.length)
    for (const [level, { width, height }] of raster.levels.entries()) {
      const { mask } = await readWindow(raster, { level, window: [0, 0, width, height] })
      assert.equal(digest(mask), masks[level], `level ${level}`)
    }
    const whole = await readWindow(raster, { window: [0, 0, raster.width, raster.height] })
    const formula = { expression: parseExpression('b1 * 1') }
    const measured = [
      computeBandStatistics(whole, findEffectiveNodata(raster))[0]!,
      (await computeRasterStatistics(raster)).bands[0]!,
      (await computeRasterStatistics(raster, formula)).bands[0]!,
    ]
    for (const found of measured) {
      // Values of a formula are of single precision.
      for (const [ours, theirs] of [
        [found.minimum, minimum],
        [found.maximum, maximum],
        [found.mean, mean],
      ] as const)
        assert.ok(Math.abs(ours - theirs) <= 1e-7 * Math.abs(theirs), `${ours} is not ${theirs}`)
      const share = (100 * valid) / (raster.width * raster.height)
      if ('valid_percent' in found) assert.ok(Math.abs(found.valid_percent - share) < 1e-9)
    }
    const read = await readTile(raster, { ...tile, size: 256 })
    assert.equal(read.mask.filter((value) => value !== 0).length, tile.valid)
  })
