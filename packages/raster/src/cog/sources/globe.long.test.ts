import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { geometryBounds } from '@swath/geo/bbox.ts'
import { validateAreaGeometry } from '@swath/geo/validate-area.ts'
import { writePlacedScene, type PlacedScene } from '../../../test/placed-scene.ts'
import { readPoint } from '../../compute/statistics/point.ts'
import { computeZonalStatistics } from '../../compute/statistics/zonal-statistics.ts'
import { readPixelInterleavedWindow } from '../../compute/window/read-window.ts'
import { computeLonLatBounds, computeRasterFootprint, crsToLonLat, lonLatToCrs } from '../../formats/crs/crs.ts'
import { createCrsFromEpsg } from '../../formats/crs/from-code.ts'
import { openRaster } from '../../formats/open-raster.ts'
import { openFileSource } from '../../io/source/file.ts'
import { readTile } from '../../render/warp/tile.ts'
import type { Raster } from '../../types.ts'
import { runProcessToCog, type RasterProcess } from '../process.ts'

const folder = mkdtempSync(join(tmpdir(), 'globe-'))
const opened: Raster[] = []
after(async () => {
  for (const raster of opened) await raster.source.close()
  rmSync(folder, { recursive: true })
})

const degrees = await createCrsFromEpsg(4326)
const mercator = await createCrsFromEpsg(3857)

async function make(scene: PlacedScene): Promise<Raster> {
  const raster = await writePlacedScene(folder, `source-${opened.length}`, scene)
  opened.push(raster)
  return raster
}

async function run(rasters: readonly Raster[], process: RasterProcess) {
  const { path, notes } = await runProcessToCog(rasters, {
    path: join(folder, `result-${opened.length}.tif`),
    process,
  })
  const raster = await openRaster(await openFileSource(path))
  opened.push(raster)
  const { width, height } = raster
  const pixels = await readPixelInterleavedWindow(raster, { window: [0, 0, width, height] })
  const valid = pixels.mask === null ? width * height : pixels.mask.filter((value) => value !== 0).length
  return { raster, pixels, valid, notes }
}

const readWhole = (raster: Raster) => readTile(raster, { z: 0, x: 0, y: 0, size: 256 })

/** The middle of every valid pixel has the value of the pixel of the source that lies there, as the projections say. */
async function assertPixels(source: Raster, result: Raster): Promise<number> {
  const { width, height, affine } = result
  const { data, mask } = await readPixelInterleavedWindow(result, { window: [0, 0, width, height] })
  const from = await readPixelInterleavedWindow(source, { window: [0, 0, source.width, source.height] })
  let [valid, wrong] = [0, 0]
  for (let pixel = 0; pixel < width * height; pixel++) {
    if (mask !== null && mask[pixel] === 0) continue
    valid++
    const [column, row] = [pixel % width, Math.floor(pixel / width)]
    const place = crsToLonLat(result.crs, affine[0] + (column + 0.5) * affine[1], affine[3] + (row + 0.5) * affine[5])
    const [x, y] = lonLatToCrs(source.crs, ...place)
    const at = Math.floor((y - source.affine[3]) / source.affine[5]) * source.width
    if (data[pixel] !== from.data[at + Math.floor((x - source.affine[0]) / source.affine[1])]) wrong++
  }
  assert.equal(wrong, 0)
  return valid
}

test('an image around a pole keeps its pixels in degrees', async () => {
  // gdalwarp 3.6.2 has 591 valid pixels.
  const north = await make({
    crs: await createCrsFromEpsg(3413),
    affine: [-1e6, 20_000, 0, 1e6, 0, -20_000],
    width: 100,
    height: 100,
  })
  const { raster, valid, notes } = await run([north], { name: 'reproject', epsg: 4326 })
  assert.deepEqual([raster.width, raster.height, valid, notes], [141, 5, 591, []])
  assert.equal(await assertPixels(north, raster), 591)
  const south = await make({
    crs: await createCrsFromEpsg(3031),
    affine: [-9e5, 20_000, 0, 1.1e6, 0, -20_000],
    width: 100,
    height: 100,
  })
  const fine = await run([south], { name: 'reproject', epsg: 4326, resolution: 0.2 })
  assert.deepEqual(
    [fine.raster.width, fine.raster.affine[3] + fine.raster.height * fine.raster.affine[5] <= -89.9],
    [1800, true],
  )
  // The last row before the pole is there all around.
  const last = fine.raster.height - 1
  const { mask } = await readPixelInterleavedWindow(fine.raster, { window: [0, last, 1800, last + 1] })
  assert.equal(mask?.indexOf(0) ?? -1, -1)
})

test('longitudes from 200 to 330 are rendered between 160 and 30 degrees west', async () => {
  const pacific = await make({ crs: degrees, affine: [200, 1, 0, 30, 0, -1], width: 130, height: 60 })
  const { raster, valid } = await run([pacific], { name: 'reproject', epsg: 3857 })
  assert.deepEqual([raster.width, raster.height, valid], [129, 62, 7998])
  assert.ok(Math.abs(raster.affine[0] + 17_811_118.526923772) < 1e-3)
  const { mask } = await readWhole(raster)
  const columns = Array.from({ length: 256 }, (_, column) => column).filter((column) => mask[128 * 256 + column] !== 0)
  assert.deepEqual([columns[0], columns.at(-1)], [14, 106])
})

test('a map of the world ends where the Mercator map ends, and the result says so', async () => {
  const world = await make({ crs: degrees, affine: [-180, 5.625, 0, 90, 0, -4], width: 64, height: 45 })
  const { raster, notes, valid } = await run([world], { name: 'reproject', epsg: 3857 })
  assert.deepEqual(notes, [
    'The result holds only the part of the image between the latitudes of ±85.0511 degrees, where the Mercator map ends.',
  ])
  assert.equal(valid, raster.width * raster.height)
  assert.equal(await assertPixels(world, raster), valid)
  const antarctic = await run([world], { name: 'reproject', epsg: 3031 })
  assert.equal(antarctic.valid, antarctic.raster.width * antarctic.raster.height)
  assert.match(antarctic.notes[0]!, /^The result holds only the part of the image in the area of use of EPSG:3031 /)
})

test('a grid half a pixel over the poles lies between them', async () => {
  const grid = await make({ crs: degrees, affine: [-180.125, 0.25, 0, 90.125, 0, -0.25], width: 1440, height: 721 })
  assert.deepEqual(computeLonLatBounds(grid), [-180, -90, 180, 90])
  const shape = computeRasterFootprint(grid)
  assert.deepEqual(
    [shape.type, validateAreaGeometry(shape).error, geometryBounds(shape)],
    ['Polygon', null, [-180, -90, 180, 90]],
  )
  const value = (column: number, row: number): number => (row * 1440 + column) % 251
  const points = [
    [0, 0, value(720, 360)],
    [0, 90, value(720, 0)],
    [0, -90, value(720, 720)],
    [180, 0, value(0, 360)],
    [-180, 0, value(0, 360)],
    [179.87, 0, value(1439, 360)],
    [179.9, 0, value(0, 360)],
  ] as const
  for (const [longitude, latitude, expected] of points)
    assert.deepEqual(await readPoint(grid, longitude, latitude), [expected], `${longitude} ${latitude}`)
  const whole = { type: 'Polygon' as const, coordinates: [[[-180, -90], [180, -90], [180, 90], [-180, 90], [-180, -90]]] } as const // prettier-ignore
  const { bands } = await computeZonalStatistics(grid, whole as never, {})
  assert.equal(bands[0]!.count, 1440 * 721)
  assert.ok(!(await readWhole(grid)).mask.includes(0))
})

test('the meridian of 180 degrees and the south pole are in a map of the world', async () => {
  const world = await make({ crs: degrees, affine: [-180, 5.625, 0, 90, 0, -4], width: 64, height: 45 })
  const value = (column: number, row: number): number => (row * 64 + column) % 251
  for (const [longitude, latitude, expected] of [
    [180, 10, value(0, 20)],
    [-180, 10, value(0, 20)],
    [0, -90, value(32, 44)],
    [0, 90, value(32, 0)],
    [180, -90, value(0, 44)],
  ] as const)
    for (const resampling of ['nearest', 'bilinear'] as const) {
      const [found] = await readPoint(world, longitude, latitude, { resampling })
      if (resampling === 'nearest') assert.equal(found, expected, `${longitude} ${latitude}`)
      else assert.ok(found !== null && Number.isFinite(found))
    }
  // Where the world does not close, its ends are ends.
  const part = await make({ crs: degrees, affine: [0, 1, 0, 10, 0, -1], width: 180, height: 10 })
  await assert.rejects(readPoint(part, 180, 5), { kind: 'outside' })
  const twice = await make({ crs: degrees, affine: [-180.5, 1, 0, 90.5, 0, -1], width: 361, height: 181 })
  assert.deepEqual(computeLonLatBounds(twice), [-180, -90, 180, 90])
  assert.deepEqual(await readPoint(twice, 180, 90), [360 % 251])
})

test('a raster that runs on beyond the edge of the Mercator map is read on both sides of it', async () => {
  const beyond = await make({ crs: mercator, affine: [18e6, 1e5, 0, 6e6, 0, -1e5], width: 60, height: 40 })
  const [west, , east] = computeLonLatBounds(beyond)
  assert.ok(Math.abs(west - 161.697) < 0.01 && Math.abs(east + 144.405) < 0.01, `${west} ${east}`)
  assert.equal(computeRasterFootprint(beyond).type, 'MultiPolygon')
  const value = (column: number, row: number): number => (row * 60 + column) % 251
  const longitude = (x: number): number => (x / 20_037_508.342789244) * 180
  const latitude = crsToLonLat(mercator, 0, 5.95e6)[1]
  assert.deepEqual(await readPoint(beyond, longitude(18.05e6), latitude), [value(0, 0)])
  assert.deepEqual(await readPoint(beyond, longitude(23.95e6) - 360, latitude), [value(59, 0)])
  const { mask } = await readWhole(beyond)
  const row = Array.from(mask.subarray(100 * 256, 101 * 256), (valid, column) => (valid ? column : -1)).filter(
    (column) => column >= 0,
  )
  assert.ok(row.includes(0) && row.includes(255) && row.includes(24) && !row.includes(100), row.join())
  const back = await run([beyond], { name: 'reproject', epsg: 4326 })
  assert.ok(back.valid > 0.98 * back.raster.width * back.raster.height)
  const other = await createCrsFromEpsg(3395)
  const cylinder = await make({ crs: other, affine: [18e6, 1e5, 0, 6e6, 0, -1e5], width: 60, height: 40 })
  assert.deepEqual(await readPoint(cylinder, longitude(23.95e6) - 360, crsToLonLat(other, 0, 5.95e6)[1]), [
    value(59, 0),
  ])
})

test('an image across the 180° meridian stays whole when it is reprojected, and on the map', async () => {
  const zone = await make({
    crs: await createCrsFromEpsg(32_660),
    affine: [600_000, 1000, 0, 6_000_000, 0, -1000],
    width: 200,
    height: 200,
    nodata: 255,
  })
  for (const epsg of [4326, 3857]) {
    const { raster, valid } = await run([zone], { name: 'reproject', epsg })
    assert.ok(valid > 30_000, `EPSG:${epsg}: ${valid}`)
    const shape = computeRasterFootprint(raster)
    assert.deepEqual([shape.type, validateAreaGeometry(shape).error], ['MultiPolygon', null])
    for (const [longitude, latitude] of [
      [179.9, 53.5],
      [-179.9, 53.5],
      [-179, 53.2],
    ] as const) {
      const [ours] = await readPoint(raster, longitude, latitude)
      assert.notEqual(ours, null, `EPSG:${epsg} at ${longitude}`)
    }
  }
})

test('files on both sides of the 180° meridian are one mosaic', async () => {
  const east = await make({ crs: degrees, affine: [175, 0.1, 0, 5, 0, -0.1], width: 50, height: 50, value: () => 7 })
  const west = await make({ crs: degrees, affine: [-180, 0.1, 0, 5, 0, -0.1], width: 50, height: 50, value: () => 9 })
  const { raster, pixels, valid } = await run([east, west], { name: 'mosaic', pixelSelection: 'first' })
  assert.deepEqual([raster.width, valid, raster.affine[0]], [100, 5000, 175])
  assert.deepEqual([pixels.data[0], pixels.data[49], pixels.data[50], pixels.data[99]], [7, 7, 9, 9])
  assert.deepEqual([await readPoint(raster, 177, 2), await readPoint(raster, -177, 2)], [[7], [9]])
})

test('a footprint around a pole follows the edge and closes over the pole', async () => {
  const system = await createCrsFromEpsg(3413)
  const around = await make({ crs: system, affine: [-93_000, 1000, 0, 84_500, 0, -1000], width: 150, height: 150 })
  const shape = computeRasterFootprint(around)
  assert.deepEqual([shape.type, validateAreaGeometry(shape).error], ['Polygon', null])
  const ring = shape.coordinates[0] as readonly (readonly number[])[]
  const poles = ring.filter(([, latitude]) => latitude === 90)
  assert.deepEqual(
    poles.map(([longitude]) => Math.abs(longitude!)),
    [180, 180],
  )
  // The corner nearest to the pole is farther south than the middle of the nearest side.
  const latitudes = ring.map(([, latitude]) => latitude!).filter((latitude) => latitude < 90)
  assert.ok(Math.max(...latitudes) > Math.min(...latitudes) + 0.3)
  const quarter = await make({ crs: system, affine: [0, 10_000, 0, 0, 0, -10_000], width: 50, height: 50 })
  const [west, south, east, north] = computeLonLatBounds(quarter)
  assert.ok(
    Math.abs(west + 45) < 1e-6 && Math.abs(east - 45) < 1e-6 && north === 90 && south > 83,
    `${west} ${east} ${north}`,
  )
  assert.deepEqual(
    [computeRasterFootprint(quarter).type, validateAreaGeometry(computeRasterFootprint(quarter)).error],
    ['Polygon', null],
  )
  const half = await make({ crs: system, affine: [-250_000, 10_000, 0, 0, 0, -10_000], width: 50, height: 25 })
  const halfShape = computeRasterFootprint(half)
  assert.deepEqual([geometryBounds(halfShape)[3], validateAreaGeometry(halfShape).error], [90, null])
})
