import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { applyAffine } from '@swath/geo/affine.ts'
import type { Affine } from '@swath/geo/affine.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import { fitControlPoints } from './control-points.ts'
import type { ControlPoint } from './control-points.ts'
import { openRaster } from '../open-raster.ts'

const expectedGrid: Affine = [500_000, 9.5, 2.4, 5_150_000, 3.1, -7.6]
const diagonal_pixels = 100

const pointAt = (column: number, row: number, wrong = 0): ControlPoint => {
  const [x, y] = applyAffine(expectedGrid, column + wrong, row - wrong)
  return { column, row, x, y }
}

test('points that lie on a grid give that grid, from three upwards', () => {
  const points = [pointAt(0, 0), pointAt(80, 3), pointAt(10, 60), pointAt(70, 55)]
  for (const count of [3, 4]) {
    const { affine, placement } = fitControlPoints(points.slice(0, count), diagonal_pixels)
    assert.ok(affine!.every((value, index) => Math.abs(value - expectedGrid[index]!) < 1e-6))
    assert.ok(placement.by === 'control-points' && placement.points === count && placement.residual_px < 1e-6)
  }
})

test('too few points, points on one line, points that are numbers to nobody and points on no grid are refused', () => {
  const line = [0, 1, 2, 3].map((step) => pointAt(step * 10, step * 7))
  const row = [0, 1, 2, 3].map((step) => ({ ...pointAt(step * 10, step ** 2), row: 5 }))
  const torn = [pointAt(0, 0), pointAt(80, 0), pointAt(0, 60), pointAt(80, 60, 20), pointAt(40, 30, -15)]
  for (const [points, word] of [
    [[], 'only 0'],
    [[pointAt(0, 0), pointAt(5, 5), { ...pointAt(9, 2), x: Number.NaN }], 'only 2'],
    [Array.from({ length: 9 }, () => pointAt(3, 3)), 'one line'],
    [line, 'one line'],
    [row, 'one line'],
    [torn, 'no plane grid'],
  ] as const) {
    const { affine, placement } = fitControlPoints(points, diagonal_pixels)
    assert.equal(affine, null)
    assert.ok(placement.by === 'nothing' && placement.reason.includes(word), JSON.stringify(placement))
  }
})

test('a file says what puts it on the earth', async () => {
  const packings = new URL('../../../../../fixtures/rasters/packings/', import.meta.url)
  const open = (name: string) => openRaster(createMemorySource(readFileSync(new URL(name, packings)), name))
  const measured = await open('u16-control-points.tif')
  assert.ok(measured.georeferenced && measured.georeferencing.by === 'control-points')
  assert.ok(measured.georeferencing.residual_px > 0.1 && measured.georeferencing.residual_px < 0.5)
  const turned = await open('u16-rotated.tif')
  assert.deepEqual(turned.georeferencing, { by: 'grid' })
  assert.ok(turned.affine[2] !== 0 && turned.affine[4] !== 0)
})
