import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import type { AreaGeometry, Ring } from '@swath/geo/geojson.ts'
import type { Tile } from '@swath/geo/tile-grid.ts'
import { maskTileOutsideArea } from './polygon-mask.ts'

interface OracleCase {
  readonly name: string
  readonly image: { readonly tile: Tile; readonly size: number } | { readonly epsg: number }
  readonly area: AreaGeometry
  readonly inside: number
  readonly mask: string
}

const oracle = JSON.parse(
  readFileSync(new URL('../../../../../fixtures/areas/gdal.json', import.meta.url), 'utf8'),
) as {
  cases: OracleCase[]
}

/** Pixels whose mask is not the oracle's. */
function countDifferent(mask: Uint8Array, packed: string): number {
  const bits = inflateSync(Buffer.from(packed, 'base64'))
  return mask.reduce(
    (sum, value, i) => sum + ((value !== 0) === (((bits[i >> 3]! >> (7 - (i & 7))) & 1) === 1) ? 0 : 1),
    0,
  )
}

test('areas fill the pixels that GDAL fills', () => {
  let tiles = 0
  for (const { name, image, area, mask: expected } of oracle.cases) {
    if (!('tile' in image)) continue
    const mask = maskOf(image.tile, area, image.size)
    assert.ok(mask.every((value) => value === 0 || value === 255))
    assert.equal(countDifferent(mask, expected), 0, name)
    tiles++
  }
  assert.equal(tiles, 8)
})

const box = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]
const polygon = (...rings: Ring[]): AreaGeometry => ({ type: 'Polygon', coordinates: rings })

function maskOf(tile: Tile, area: AreaGeometry, size = 64): Uint8Array {
  const mask = new Uint8Array(size * size).fill(255)
  maskTileOutsideArea(mask, size, tile, area)
  return mask
}

test('an area over the 180° meridian counts on both sides, however it is written', () => {
  const written: AreaGeometry[] = [
    polygon(box(170, -10, 190, 10)),
    polygon(box(-190, -10, -170, 10)),
    { type: 'MultiPolygon', coordinates: [[box(170, -10, 180, 10)], [box(-180, -10, -170, 10)]] },
  ]
  for (const tile of [
    { z: 3, x: 7, y: 3 },
    { z: 3, x: 0, y: 4 },
    { z: 0, x: 0, y: 0 },
    { z: 3, x: 3, y: 3 },
  ]) {
    const masks = written.map((area) => maskOf(tile, area))
    assert.deepEqual(masks[1], masks[0], `${tile.x}`)
    assert.deepEqual(masks[2], masks[0], `${tile.x}`)
    assert.equal(masks[0]!.includes(255), tile.x !== 3)
  }
})

test('an area around the whole Earth, even more than once, leaves every pixel of its latitudes', () => {
  for (const area of [polygon(box(-180, -80, 180, 80)), polygon(box(-300, -80, 300, 80))])
    for (const x of [0, 3, 7]) assert.ok(maskOf({ z: 3, x, y: 3 }, area).every((value) => value === 255))
})

test('the pole is no trouble, and what was left out stays out', () => {
  const mask = new Uint8Array(64 * 64).fill(255)
  mask[100] = 0
  maskTileOutsideArea(mask, 64, { z: 0, x: 0, y: 0 }, polygon(box(-180, -90, 180, 90)))
  assert.equal(mask.indexOf(0), 100)
  assert.equal(mask.lastIndexOf(0), 100)
})

test('neighbouring areas share no pixel and leave none out', () => {
  const corners = [
    [0, 0],
    [20, 1.5],
    [20, 20],
    [0, 20],
  ] as const
  const middle = [7.37, 11.91] as const
  const [nw, ne, se, sw] = corners
  const areas = [polygon([nw, ne, middle, sw, nw]), polygon([ne, se, sw, middle, ne]), polygon([...corners, nw])]
  const [one, other, whole] = areas.map((area) => maskOf({ z: 4, x: 8, y: 7 }, area))
  assert.ok(one!.includes(255) && other!.includes(255))
  for (let i = 0; i < whole!.length; i++) assert.equal(one![i]! + other![i]!, whole![i])
})

test('what is no polygon is refused', () => {
  assert.throws(
    () =>
      maskOf(
        { z: 0, x: 0, y: 0 },
        polygon([
          [0, 0],
          [1, 1],
        ]),
      ),
    { name: 'RasterFailure', kind: 'request' },
  )
})
