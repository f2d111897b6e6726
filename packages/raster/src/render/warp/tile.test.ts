import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { findTileAt } from '@swath/geo/tile-grid.ts'
import { RasterFailure } from '../../failures.ts'
import { readPoint } from '../../compute/statistics/point.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import { openRaster } from '../../formats/open-raster.ts'
import { readWindow } from '../../compute/window/read-window.ts'
import type { Raster, Resampling, SampleType } from '../../types.ts'
import { readPreview } from './preview.ts'
import { readTile } from './tile.ts'

const fixtures = new URL('../../../../../fixtures/rasters/', import.meta.url)

interface ExpectedTile {
  readonly scene: string
  readonly band: number
  readonly z: number
  readonly x: number
  readonly y: number
  readonly resampling: Resampling
  readonly type: SampleType
  readonly valid: number
  readonly mask: string
  readonly every_third: string
}

const tiles = JSON.parse(readFileSync(new URL('tiles.json', fixtures), 'utf8')) as ExpectedTile[]

/** Steps by which samples may differ from gdalwarp's: rounding of a weighted sum, or another JPEG decoder. */
const tolerance: Readonly<Record<Resampling, number>> = { nearest: 0, bilinear: 1, cubic: 1, average: 1 }

for (const tile of tiles) {
  const { scene, z, x, y, resampling } = tile
  test(`${scene} in ${z}/${x}/${y}, ${resampling}, equals the result of gdalwarp`, async () => {
    const raster = await openScene(scene)
    const read = await readTile(raster, { z, x, y, size: 256, bands: [tile.band], resampling })
    assert.equal(createHash('md5').update(read.mask).digest('hex'), tile.mask)
    const theirs = unpack(tile)
    const jpeg = scene.includes('jpeg')
    const floating = tile.type === 'float32'
    const allowed = floating ? 2e-3 : tolerance[resampling] + (jpeg ? 4 : 0)
    let compared = 0
    let beyond = 0
    for (let row = 0; row < 256; row += 3) {
      for (let column = 0; column < 256; column += 3) {
        if (read.mask[row * 256 + column] === 0) continue
        const other = theirs[Math.floor(row / 3) * 86 + column / 3]!
        if (Math.abs(read.data[row * 256 + column]! - other) > allowed) beyond++
        compared++
      }
    }
    assert.ok(compared > 0 || tile.valid < 9)
    assert.ok(beyond <= compared * 0.001, `${beyond} of ${compared} samples differ by more than ${allowed}`)
  })
}

test('a tile that the raster does not reach is empty, and so is a tile on the other side of the earth', async () => {
  const raster = await openScene('hls-exe.tif')
  for (const [longitude, latitude, z] of [
    [20, 45, 10],
    [176.49, -50.7, 10],
    [-3.51, -50.7, 4],
    [176.5, 50.7, 3],
  ] as const) {
    const tile = await readTile(raster, { ...findTileAt(longitude, latitude, z), size: 256 })
    assert.ok(tile.mask.every((value) => value === 0))
    assert.equal(tile.bands, 5)
  }
})

test('far from its central meridian the whole scene is rendered once', async () => {
  const raster = await openScene('hls-exe.tif')
  const tile = await readTile(raster, { ...findTileAt(-3.51, 50.72, 6), size: 256, bands: [3] })
  const valid = tile.mask.reduce((sum, value) => sum + (value > 0 ? 1 : 0), 0)
  assert.ok(valid >= 9 && valid <= 40, `${valid} pixels`)
})

test('a tile of 512 pixels shows the same place twice as finely', async () => {
  const raster = await openScene('exe-laea.tif')
  const tile = findTileAt(-3.51, 50.72, 14)
  const large = await readTile(raster, { ...tile, size: 512, bands: [0] })
  const quarter = await readTile(raster, { z: 15, x: tile.x * 2 + 1, y: tile.y * 2, size: 256, bands: [0] })
  for (let row = 0; row < 256; row++) {
    assert.deepEqual(
      large.data.subarray(row * 512 + 256, row * 512 + 512),
      quarter.data.subarray(row * 256, row * 256 + 256),
    )
  }
})

test('neighbouring tiles meet without a seam: sampling depends on the place, not on the tile', async () => {
  const raster = await openScene('bolzano.tif')
  const parent = findTileAt(11.32, 46.478, 13)
  const large = await readTile(raster, { ...parent, size: 512, bands: [0], resampling: 'bilinear' })
  const child = await readTile(raster, {
    z: 14,
    x: parent.x * 2,
    y: parent.y * 2,
    size: 256,
    bands: [0],
    resampling: 'bilinear',
  })
  let apart = 0
  for (let row = 0; row < 256; row++) {
    for (let column = 0; column < 256; column++) {
      apart += Math.abs(large.data[row * 512 + column]! - child.data[row * 256 + column]!) > 1 ? 1 : 0
    }
  }
  assert.equal(apart, 0)
})

test('a scene that crosses the 180° meridian is rendered on both sides of the map', async () => {
  const raster = await openMoved('elkton-red.tif', 32_660, [706_000, 5_700_000])
  const west = await readTile(raster, { z: 9, x: 0, y: findTileAt(-179.99, 51.4, 9).y, size: 256 })
  const east = await readTile(raster, { z: 9, x: 511, y: findTileAt(-179.99, 51.4, 9).y, size: 256 })
  const edge = (mask: Uint8Array, column: number) => Array.from({ length: 256 }, (_, row) => mask[row * 256 + column])
  assert.ok(edge(west.mask, 0).some((value) => value === 255))
  assert.ok(edge(east.mask, 255).some((value) => value === 255))
  const whole = await readTile(raster, { z: 0, x: 0, y: 0, size: 256 })
  assert.ok(whole.mask.reduce((sum, value) => sum + (value > 0 ? 1 : 0), 0) <= 4)
})

test('a map of the world fills the tile of the world, from edge to edge', async () => {
  const raster = await openScene('world-jpeg.tif')
  for (const resampling of ['nearest', 'bilinear', 'average'] as const) {
    const tile = await readTile(raster, { z: 0, x: 0, y: 0, size: 256, resampling })
    assert.ok(
      tile.mask.every((value) => value === 255),
      resampling,
    )
  }
  // The same map counted from 0 to 360 is laid half around the earth: what was over Asia is now over the Pacific.
  const [, b, c, d, e, f] = raster.affine
  const turned = await readTile({ ...raster, affine: [0, b, c, d, e, f] }, { z: 2, x: 0, y: 1, size: 256, bands: [0] })
  const plain = await readTile(raster, { z: 2, x: 2, y: 1, size: 256, bands: [0] })
  assert.ok(turned.mask.every((value) => value === 255))
  assert.deepEqual(turned.data, plain.data)
})

test('a raster that cannot be rendered fails with the reason', async () => {
  const fails = async (raster: Raster, request: Partial<Parameters<typeof readTile>[1]>, kind: string) =>
    assert.rejects(
      readTile(raster, { z: 15, x: 0, y: 0, size: 256, ...request }),
      (error) => error instanceof RasterFailure && error.kind === kind,
    )
  const raster = await openScene('bolzano.tif')
  await fails(raster, { z: 3, x: 8 }, 'request')
  await fails(raster, { bands: [7] }, 'request')
  await fails(raster, { ...findTileAt(11.32, 46.478, 11), budget_bytes: 200_000 }, 'budget')
  await fails({ ...raster, georeferenced: false }, {}, 'no_georeference')
  await fails(
    { ...raster, crs: { epsg: null, proj4: null, name: 'engineering', geographic: false } },
    {},
    'no_georeference',
  )
})

test('a preview holds the means of what its pixels cover', async () => {
  const raster = await openScene('surface.tif')
  const preview = await readPreview(raster, { width: 40, height: 30 })
  assert.deepEqual([preview.width, preview.height, preview.bands], [40, 30, 1])
  const level = raster.levels.findLast(({ width, height }) => width >= 40 && height >= 30)!
  const source = await readWindow(raster, { level: level.index, window: [0, 0, level.width, level.height] })
  // The middle pixel by hand: every sample by the part of it that is covered.
  const [x0, x1] = [(20 * level.width) / 40, (21 * level.width) / 40]
  const [y0, y1] = [(15 * level.height) / 30, (16 * level.height) / 30]
  let [sum, weights] = [0, 0]
  for (let y = Math.floor(y0); y < y1; y++) {
    for (let x = Math.floor(x0); x < x1; x++) {
      if (source.mask[y * level.width + x] === 0) continue
      const weight = (Math.min(x1, x + 1) - Math.max(x0, x)) * (Math.min(y1, y + 1) - Math.max(y0, y))
      sum += source.data[y * level.width + x]! * weight
      weights += weight
    }
  }
  assert.ok(Math.abs(preview.data[15 * 40 + 20]! - sum / weights) < 1e-3)
})

test('a preview read in strips is the same as one read at once', async () => {
  const raster = await openScene('bolzano.tif')
  const small = await readPreview(raster, { width: 64, height: 64 })
  const full = await readPreview(
    { ...raster, levels: [raster.levels[0]!] },
    { width: 64, height: 64, budget_bytes: 8_000_000 },
  )
  assert.deepEqual(full.data, small.data)
  await assert.rejects(readPreview(raster, { width: 0, height: 5 }), RasterFailure)
  await assert.rejects(readPreview(raster, { width: 64, height: 64, budget_bytes: 10_000 }), RasterFailure)
})

test('a palette is not averaged', async () => {
  const raster = await openScene('tree-cover.tif')
  assert.equal(raster.palette?.length, 768)
  const preview = await readPreview(raster, { width: 20, height: 20 })
  const source = await readWindow(raster, { window: [0, 0, raster.width, raster.height] })
  const known = new Set(source.data)
  assert.ok(preview.data.every((index) => known.has(index)))
})

test('a point has the samples of the pixel that it lies in', async () => {
  const raster = await openScene('exe-27700.tif')
  const samples = await readPoint(raster, -3.51, 50.72)
  assert.equal(samples.length, 3)
  const tile = findTileAt(-3.51, 50.72, 18)
  const read = await readTile(raster, { ...tile, size: 256 })
  assert.ok(Array.from({ length: 65_536 }, (_, at) => read.data[at]).includes(samples[0]!))
  await assert.rejects(
    readPoint(raster, 10, 50.72),
    (error) => error instanceof RasterFailure && error.kind === 'outside',
  )
})

async function openScene(name: string): Promise<Raster> {
  return openRaster(createMemorySource(readFileSync(new URL(`scenes/${name}`, fixtures)), name))
}

/** A real scene laid down somewhere else on the earth, by changing two fields of its header. */
async function openMoved(name: string, epsg: number, corner: [number, number]): Promise<Raster> {
  const raster = await openScene(name)
  const keys = raster.geoTags.keyDirectory!.map((value, at, all) => (all[at - 3] === 3072 ? epsg : value))
  const bytes = new Uint8Array(readFileSync(new URL(`scenes/${name}`, fixtures)))
  const view = new DataView(bytes.buffer)
  const directory = view.getUint32(4, true)
  for (let at = 0; at < view.getUint16(directory, true); at++) {
    const entry = directory + 2 + at * 12
    const tag = view.getUint16(entry, true)
    const offset = view.getUint32(entry + 8, true)
    if (tag === 33_922)
      for (const [axis, value] of corner.entries()) view.setFloat64(offset + 24 + axis * 8, value, true)
    if (tag === 34_735) for (const [index, value] of keys.entries()) view.setUint16(offset + index * 2, value, true)
  }
  return openRaster(createMemorySource(bytes, 'moved'))
}

function unpack({ every_third, type }: ExpectedTile): ArrayLike<number> {
  const bytes = new Uint8Array(inflateSync(Buffer.from(every_third, 'base64')))
  if (type === 'uint16') return new Uint16Array(bytes.buffer)
  if (type === 'int16') return new Int16Array(bytes.buffer)
  return type === 'float32' ? new Float32Array(bytes.buffer) : bytes
}
