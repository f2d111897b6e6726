import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { metresPerPixel, findTileAt, tileBoundsMetres } from '@swath/geo/tile-grid.ts'
import type { PositionGrid } from '../../compute/kernels/types.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import { openRaster } from '../../formats/open-raster.ts'
import { createMercatorToPixel, findIntersectingWindow } from './mercator-to-pixel.ts'
import { buildApproximationGrid, findPositionBounds } from './approximation-grid.ts'
import type { ExactTransform } from './approximation-grid.ts'

const scenes = new URL('../../../../../fixtures/rasters/scenes/', import.meta.url)
const cases = [
  ['bolzano.tif', 11.316, 46.4757, [9, 12, 13, 15]],
  ['exe-27700.tif', -3.51, 50.72, [8, 11, 13]],
  ['exe-laea.tif', -3.51, 50.72, [11, 14]],
  ['pucallpa.tif', -74.6, -8.5, [5, 9, 12]],
  ['disc-jpeg-mask.tif', -75, 20, [1, 2, 4]],
] as const

/** A position by straight lines between nodes, as the kernels interpolate. */
function between({ spacing, across, x, y }: PositionGrid, column: number, row: number): [number, number] {
  const [left, top] = [Math.floor(column / spacing), Math.floor(row / spacing)]
  const [fx, fy] = [column / spacing - left, row / spacing - top]
  const mix = (values: Float64Array): number => {
    const line = (node: number): number =>
      fx === 0 ? values[node]! : values[node]! * (1 - fx) + values[node + 1]! * fx
    const at = top * across + left
    return fy === 0 ? line(at) : line(at) * (1 - fy) + line(at + across) * fy
  }
  return [mix(x), mix(y)]
}

for (const [name, longitude, latitude, zooms] of cases) {
  test(`the grid over ${name} follows the exact projection to a few ten-thousandths of a pixel`, async () => {
    const raster = await openRaster(createMemorySource(readFileSync(new URL(name, scenes)), name))
    const mapping = createMercatorToPixel(raster)
    for (const z of zooms) {
      const [west, , , north] = tileBoundsMetres(findTileAt(longitude, latitude, z))
      const step = metresPerPixel(z)
      const part = findIntersectingWindow(raster, { west, north, step }, 256, 256)!
      const [columns, rows] = [part.right - part.left, part.bottom - part.top]
      const exact: ExactTransform = (column, row) =>
        mapping.toPixel(west + (part.left + column) * step, north - (part.top + row) * step)
      const net = buildApproximationGrid(exact, columns, rows, 0.5)
      for (let at = 0; at < columns * rows; at += 13) {
        const [column, row] = [at % columns, Math.floor(at / columns)]
        const [x, y] = exact(column + 0.5, row + 0.5)
        const [ours, theirs] = between(net, column, row)
        if (Number.isNaN(x)) assert.ok(Number.isNaN(ours))
        else assert.ok(Math.hypot(x - ours, y - theirs) < 4e-4, `${name} z${z} at ${column},${row}`)
      }
    }
  })
}

test('a smooth mapping has few grid nodes, a straight one a node every 16 pixels', () => {
  const straight = buildApproximationGrid((column, row) => [3 * column + row, 2 * row], 256, 256, 0.5)
  assert.deepEqual([straight.spacing, straight.across, straight.down], [16, 17, 17])
  const bent = buildApproximationGrid((column, row) => [column + (column / 256) ** 2, row], 256, 256, 0)
  assert.ok(bent.spacing >= 2 && bent.spacing < 16, String(bent.spacing))
})

test('where a place has no position, every place is projected by itself', () => {
  const holed: ExactTransform = (column, row) => (column + row < 300 ? [column, row] : [Number.NaN, Number.NaN])
  const net = buildApproximationGrid(holed, 256, 256, 0)
  assert.equal(net.spacing, 1)
  assert.deepEqual(findPositionBounds(net, 256, 256), [0, 0, 255, 255])
  assert.equal(
    findPositionBounds(
      buildApproximationGrid(() => [Number.NaN, Number.NaN], 40, 40, 0),
      40,
      40,
    ),
    null,
  )
})

test('an image of a single line has its positions, however long it is', () => {
  for (const [columns, rows] of [
    [1, 2000],
    [2000, 1],
  ] as const) {
    const net = buildApproximationGrid((column, row) => [3 * column, 2 * row], columns, rows, 0.5)
    assert.deepEqual(findPositionBounds(net, columns, rows), [1.5, 1, 3 * columns - 1.5, 2 * rows - 1])
  }
})

test('the span ends with the image, not with the last node', () => {
  const net = buildApproximationGrid((column, row) => [2 * column, row], 100, 90, 0)
  assert.deepEqual(findPositionBounds(net, 100, 90), [0, 0, 198, 89])
})

test('only the part of an image near the scene is looked up', async () => {
  const raster = await openRaster(createMemorySource(readFileSync(new URL('hls-exe.tif', scenes)), 'hls'))
  const z = 8
  const [west, , , north] = tileBoundsMetres(findTileAt(-3.51, 50.72, z))
  const part = findIntersectingWindow(raster, { west, north, step: metresPerPixel(z) }, 256, 256)!
  assert.ok(part.right - part.left < 40 && part.bottom - part.top < 40)
  assert.equal(findIntersectingWindow(raster, { west: west + 5e6, north, step: metresPerPixel(z) }, 256, 256), null)
})
