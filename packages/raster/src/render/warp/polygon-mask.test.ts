import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import type { AreaGeometry, Ring } from '@swath/geo/geojson.ts'
import type { Tile } from '@swath/geo/tile-grid.ts'
import proj4 from 'proj4'
import { maskOutside, maskOutsideInTile } from './polygon-mask.ts'

interface OracleCase {
  readonly name: string
  readonly picture:
    | { readonly tile: Tile; readonly size: number }
    | {
        readonly epsg: number
        readonly width: number
        readonly height: number
        readonly west: number
        readonly north: number
        readonly step: number
      }
  readonly area: AreaGeometry
  readonly inside: number
  readonly mask: string
}

const oracle = JSON.parse(
  readFileSync(new URL('../../../../../fixtures/areas/gdal.json', import.meta.url), 'utf8'),
) as {
  cases: OracleCase[]
}

const PROJ4: Readonly<Record<number, string>> = {
  3413: '+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +datum=WGS84 +units=m',
  32632: '+proj=utm +zone=32 +datum=WGS84 +units=m',
}

function drawMask({ picture, area }: OracleCase): Uint8Array {
  if ('tile' in picture) {
    const mask = new Uint8Array(picture.size ** 2).fill(255)
    maskOutsideInTile(mask, picture.size, picture.tile, area)
    return mask
  }
  const { width, height, west, north, step } = picture
  const { forward } = proj4(PROJ4[picture.epsg]!)
  const mask = new Uint8Array(width * height).fill(255)
  maskOutside(mask, width, height, area, (longitude, latitude) => {
    const [x, y] = forward([longitude, latitude]) as [number, number]
    return [(x - west) / step, (north - y) / step]
  })
  return mask
}

/** Pixels whose mask is not the oracle's. */
function countDifferent(mask: Uint8Array, packed: string): number {
  const bits = inflateSync(Buffer.from(packed, 'base64'))
  return mask.reduce(
    (sum, value, i) => sum + ((value !== 0) === (((bits[i >> 3]! >> (7 - (i & 7))) & 1) === 1) ? 0 : 1),
    0,
  )
}

test('areas fill the pixels that GDAL fills, in tiles and in other projections', () => {
  assert.equal(oracle.cases.length, 10)
  for (const example of oracle.cases) {
    const mask = drawMask(example)
    assert.ok(mask.every((value) => value === 0 || value === 255))
    assert.equal(countDifferent(mask, example.mask), 0, example.name)
  }
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
  maskOutsideInTile(mask, size, tile, area)
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
  maskOutsideInTile(mask, 64, { z: 0, x: 0, y: 0 }, polygon(box(-180, -90, 180, 90)))
  assert.equal(mask.indexOf(0), 100)
  assert.equal(mask.lastIndexOf(0), 100)
})

test('the centre decides, left and upper edges belong to an area', () => {
  const identity = (x: number, y: number): [number, number] => [x, y]
  const mask = new Uint8Array(16).fill(255)
  maskOutside(mask, 4, 4, polygon(box(0.5, 1.5, 2.5, 2.6)), identity)
  assert.deepEqual([...mask], [0, 0, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0])
})

test('neighbouring areas share no pixel and leave none out', () => {
  const corner = [1.37, 2.91] as const
  const halves = [
    polygon([[0, 0], [4, 0.3], corner, [0, 4], [0, 0]]),
    polygon([[4, 0.3], [4, 4], [0, 4], corner, [4, 0.3]]),
  ]
  const masks = halves.map((area) => {
    const mask = new Uint8Array(400).fill(255)
    maskOutside(mask, 20, 20, area, (x, y) => [x * 5, y * 5])
    return mask
  })
  const whole = new Uint8Array(400).fill(255)
  maskOutside(
    whole,
    20,
    20,
    polygon([
      [0, 0],
      [4, 0.3],
      [4, 4],
      [0, 4],
      [0, 0],
    ]),
    (x, y) => [x * 5, y * 5],
  )
  for (let i = 0; i < 400; i++) assert.equal(masks[0]![i]! + masks[1]![i]!, whole[i])
})

test('positions without a place are passed over, and an area without any leaves nothing', () => {
  const mask = new Uint8Array(16).fill(255)
  const partly = (x: number, y: number): [number, number] => (x > 3.5 ? [NaN, NaN] : [x, y])
  maskOutside(
    mask,
    4,
    4,
    polygon([
      [0, 0],
      [3, 0],
      [9, 2],
      [3, 4],
      [0, 4],
      [0, 0],
    ]),
    partly,
  )
  assert.deepEqual([...mask.subarray(0, 4)], [255, 255, 255, 0])
  maskOutside(mask, 4, 4, polygon(box(0, 0, 4, 4)), () => [NaN, NaN])
  assert.ok(mask.every((value) => value === 0))
})
