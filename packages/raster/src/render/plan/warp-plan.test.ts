import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createMemorySource } from '../../io/source/memory.ts'
import { openRaster } from '../../formats/open-raster.ts'
import { planWarp } from './warp-plan.ts'

const scene = new URL('../../../../../fixtures/rasters/scenes/naip-nd.tif', import.meta.url)
const raster = await openRaster(createMemorySource(readFileSync(scene), 'scene'))
const level = raster.levels[0]!
const part = { left: 0, top: 0, right: 10, bottom: 10 }
const inMiddle = (column: number, row: number): [number, number] => [100 + column, 100 + row]

test('a window reaches as far as the kernel does, which follows from the whole image and not from its part', () => {
  const plan = planWarp(raster, level, inMiddle, part, 'bilinear', [0.1, 0.25])!
  assert.deepEqual(plan.window, [100 - 11, 100 - 5, 110 + 11, 110 + 5])
  assert.deepEqual(planWarp(raster, level, inMiddle, part, 'cubic', [2, 2])!.window, [97, 97, 113, 113])
  assert.deepEqual(planWarp(raster, level, inMiddle, part, 'nearest', [0.1, 0.1])!.window, [99, 99, 111, 111])
})

test('no kernel is wider than the level', () => {
  const { scale } = planWarp(raster, level, inMiddle, part, 'bilinear', [1e-130, 1e-130])!
  assert.deepEqual(scale, [1 / level.width, 1 / level.height])
})

test('a part beyond the level has no plan', () => {
  assert.equal(
    planWarp(raster, level, () => [-50, 20], part, 'bilinear', [1, 1]),
    null,
  )
  assert.equal(
    planWarp(raster, level, () => [Number.NaN, Number.NaN], part, 'bilinear', [1, 1]),
    null,
  )
})
