import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { AreaGeometry, Ring } from '@swath/geo/geojson.ts'
import { computeZonalStatistics } from '../compute/statistics/zonal-statistics.ts'
import { readWindow } from '../compute/window/read-window.ts'
import { maskTileOutsideArea } from '../render/warp/polygon-mask.ts'
import { openRasterFolder } from '../../test/make-raster.ts'
import type { Raster } from '../types.ts'
import { runProcessToCog, type RasterProcess } from './process.ts'

const files = openRasterFolder()
after(() => files.close())

const box = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]
const multi = (...parts: readonly (readonly Ring[])[]): AreaGeometry => ({ type: 'MultiPolygon', coordinates: parts })

/** Areas whose polygons overlap, with the pixels that rasterio's geometry_mask finds. */
const areas: readonly (readonly [string, AreaGeometry, number])[] = [
  ['two that overlap', multi([box(10.05, 50.5, 10.3, 50.8)], [box(10.2, 50.6, 10.5, 50.9)]), 1450],
  ['two that are equal', multi([box(10.05, 50.5, 10.3, 50.8)], [box(10.05, 50.5, 10.3, 50.8)]), 750],
  ['one in the other', multi([box(10.05, 50.5, 10.3, 50.8)], [box(10.1, 50.6, 10.2, 50.7)]), 750],
  ['three', multi([box(10, 50.5, 10.2, 50.7)], [box(10.1, 50.6, 10.3, 50.8)], [box(10.15, 50.65, 10.4, 50.9)]), 1100],
  [
    'over a hole',
    multi([box(10.1, 50.5, 10.5, 50.9), box(10.2, 50.6, 10.4, 50.8)], [box(10.3, 50.4, 10.6, 50.7)]),
    1800,
  ],
  [
    'in a hole',
    multi([box(10.1, 50.5, 10.5, 50.9), box(10.2, 50.6, 10.4, 50.8)], [box(10.25, 50.65, 10.35, 50.75)]),
    1300,
  ],
  ['side by side', multi([box(10.1, 50.5, 10.3, 50.8)], [box(10.3, 50.5, 10.5, 50.8)]), 1200],
  ['clockwise', multi([box(10.05, 50.5, 10.3, 50.8).toReversed()], [box(10.2, 50.6, 10.5, 50.9)]), 1450],
  ['a cross', multi([box(10.1, 50.6, 10.7, 50.8)], [box(10.3, 50.45, 10.5, 50.95)]), 1800],
  ['apart', multi([box(10.05, 50.5, 10.15, 50.6)], [box(10.4, 50.7, 10.5, 50.8)]), 200],
]

const square = (): Promise<Raster> =>
  files.make({
    width: 80,
    height: 60,
    type: 'uint8',
    epsg: 4326,
    affine: [10, 0.01, 0, 51, 0, -0.01],
    value: () => 1,
  })

async function countValid(raster: Raster, process: RasterProcess): Promise<number> {
  const path = files.nextPath()
  await runProcessToCog([raster], { path, process, block: 128 })
  const result = await files.open(path)
  const { mask, data } = await readWindow(result, { window: [0, 0, result.width, result.height] })
  return Array.from(mask).filter((valid, at) => valid !== 0 && data[at] !== 0).length
}

test('polygons of an area that overlap count once, whatever is computed', async () => {
  const raster = await square()
  for (const [label, area, pixels] of areas) {
    assert.equal((await computeZonalStatistics(raster, area)).bands[0]!.count, pixels, label)
    const weighted = (await computeZonalStatistics(raster, area, { coverage: true })).bands[0]!
    assert.ok(Math.abs(weighted.count - pixels) < 1e-6, `${label}: ${weighted.count}`)
    assert.equal(await countValid(raster, { name: 'clip', area }), pixels, `${label}, clip`)
    const burned = { name: 'rasterize', areas: [{ area, value: 7 }], sampleType: 'uint8', background: 0 } as const
    assert.equal(await countValid(raster, burned as unknown as RasterProcess), pixels, `${label}, rasterize`)
  }
})

test('a tile within an area of overlapping polygons shows what they have in common', () => {
  const mask = new Uint8Array(256 * 256).fill(255)
  const tile = { z: 9, x: 270, y: 172 }
  const [, overlapping] = areas[0]!
  maskTileOutsideArea(mask, 256, tile, overlapping)
  const parts = overlapping.coordinates as readonly (readonly Ring[])[]
  const single = parts.map((coordinates) => {
    const own = new Uint8Array(256 * 256).fill(255)
    maskTileOutsideArea(own, 256, tile, { type: 'Polygon', coordinates })
    return own
  })
  assert.deepEqual(
    mask,
    mask.map((_, at) => single[0]![at]! | single[1]![at]!),
  )
  assert.ok(mask.includes(255) && mask.includes(0))
})
