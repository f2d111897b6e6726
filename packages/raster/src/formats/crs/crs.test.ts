import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { validateAreaGeometry } from '@swath/geo/validate-area.ts'
import { RasterFailure } from '../../failures.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import { openRaster } from '../open-raster.ts'
import type { Crs, Raster } from '../../types.ts'
import { computeRasterFootprint, lonLatToCrs, computeLonLatBounds, crsToLonLat } from './crs.ts'
import { resolveCrs } from './resolve.ts'

const fixtures = new URL('../../../../../fixtures/rasters/', import.meta.url)
const places = JSON.parse(readFileSync(new URL('crs.json', fixtures), 'utf8')) as Record<
  string,
  [number, number, number, number][]
>

/** Metres by which our place may differ from PROJ's; national grids with a datum of their own are shifted by parameters. */
const looseMetres: Readonly<Record<string, number>> = { 27700: 0.02, 4326: 1e-9 }

for (const [code, points] of Object.entries(places)) {
  test(`EPSG:${code} puts places where PROJ puts them, and back`, async () => {
    const crs = await resolveCrs(new Map([[code === '4326' ? 2048 : 3072, Number(code)]]))
    assert.equal(crs.epsg, Number(code))
    assert.equal(crs.geographic, code === '4326')
    const allowed = looseMetres[code] ?? 1e-3
    for (const [longitude, latitude, x, y] of points) {
      const [ourX, ourY] = lonLatToCrs(crs, longitude, latitude)
      assert.ok(Math.hypot(ourX - x, ourY - y) <= allowed, `${longitude},${latitude}: ${ourX},${ourY} is not ${x},${y}`)
      const [backX, backY] = crsToLonLat(crs, ourX, ourY)
      assert.ok(Math.abs(backX - longitude) < 1e-7 && Math.abs(backY - latitude) < 1e-7, `${backX},${backY}`)
    }
  })
}

test('a system that the file only describes is used as described', async () => {
  const raster = await openScene('exe-laea.tif')
  assert.equal(raster.crs.epsg, null)
  assert.match(raster.crs.proj4 ?? '', /^\+proj=laea \+lat_0=50\.72 \+lon_0=-3\.51 /)
  const [x, y] = lonLatToCrs(raster.crs, -3.51, 50.72)
  assert.ok(Math.hypot(x, y) < 1e-6)
})

test('an unknown code, or none, leaves the pixels readable but not georeferenced', async () => {
  const unknown = await resolveCrs(new Map([[3072, 9_999]]))
  assert.deepEqual([unknown.epsg, unknown.proj4], [9_999, null])
  const none = await resolveCrs(new Map())
  assert.equal(none.proj4, null)
  assert.throws(
    () => crsToLonLat(none, 0, 0),
    (error) => error instanceof RasterFailure && error.kind === 'no_georeference',
  )
})

test('outside the domain of a projection the answer is NaN, not a number', async () => {
  const utm: Crs = await resolveCrs(new Map([[3072, 32_632]]))
  const [x] = lonLatToCrs(utm, 99, 0)
  assert.ok(Number.isNaN(x))
  assert.ok(Number.isNaN(lonLatToCrs(utm, Number.NaN, 3)[0]))
})

test('bounds and footprint of a scene agree with GDAL', async () => {
  // gdalinfo -json of the cut: corners of the scene.
  const raster = await openScene('exe-27700.tif')
  const [west, south, east, north] = computeLonLatBounds(raster)
  assert.ok(west < -3.51 && east > -3.5 && south < 50.72 && north > 50.72)
  const shape = computeRasterFootprint(raster)
  assert.equal(shape.type, 'Polygon')
  assert.equal((shape.coordinates[0] as unknown[]).length, 4 * 8 + 1)
  assert.equal(validateAreaGeometry(shape).error, null)
  assert.ok(signedArea(shape) > 0)
  const [x, y] = lonLatToCrs(raster.crs, ...(shape.coordinates[0]![0] as unknown as [number, number]))
  assert.ok(Math.hypot(x - raster.affine[0], y - raster.affine[3]) < 0.01)
})

test('a scene across the 180° meridian has west beyond east and a footprint in two parts', async () => {
  const scene = await openScene('elkton-red.tif')
  const crs = await resolveCrs(new Map([[3072, 32_660]]))
  const raster: Raster = { ...scene, crs, affine: [706_000, 30, 0, 5_700_000, 0, -30] }
  const [west, south, east, north] = computeLonLatBounds(raster)
  assert.ok(west > 179 && east < -179 && south < north, `${west} ${east}`)
  const shape = computeRasterFootprint(raster)
  assert.equal(shape.type, 'MultiPolygon')
  assert.equal(shape.coordinates.length, 2)
  assert.equal(validateAreaGeometry(shape).error, null)
})

test('grids in degrees may count from 0 to 360; bounds are always in the usual range', async () => {
  const scene = await openScene('world-jpeg.tif')
  const boundsAt = (west: number) => computeLonLatBounds({ ...scene, affine: [west, 0.01, 0, 10, 0, -0.01] })
  const east = scene.width * 0.01
  const close = (ours: readonly number[], theirs: number[]) =>
    assert.ok(
      ours.every((value, at) => Math.abs(value - theirs[at]!) < 1e-9),
      `${ours.join()} is not ${theirs.join()}`,
    )
  close(boundsAt(190), [-170, 10 - scene.height * 0.01, -170 + east, 10])
  close(boundsAt(175), [175, 10 - scene.height * 0.01, 175 + east - 360, 10])
  close(boundsAt(-180), [-180, 10 - scene.height * 0.01, -180 + east, 10])
  close(boundsAt(180 - east), [180 - east, 10 - scene.height * 0.01, 180, 10])
  const whole = scene.width / 360
  assert.deepEqual(
    computeLonLatBounds({ ...scene, affine: [0, 1 / whole, 0, 90, 0, -1 / whole] }).filter((_, at) => at % 2 === 0),
    [-180, 180],
  )
})

test('an image around a pole reaches all around', async () => {
  const scene = await openScene('elkton-red.tif')
  const crs = await resolveCrs(new Map([[3072, 3413]]))
  const raster: Raster = { ...scene, crs, affine: [-93_000, 1000, 0, 84_500, 0, -1000] }
  const [west, south, east, north] = computeLonLatBounds(raster)
  assert.deepEqual([west, east, north], [-180, 180, 90])
  assert.ok(south > 88 && south < 89.5)
  assert.equal(validateAreaGeometry(computeRasterFootprint(raster)).error, null)
})

test('the disc of the whole earth has bounds although its edge lies in space', async () => {
  const raster = await openScene('disc-jpeg-mask.tif')
  const [west, south, east, north] = computeLonLatBounds(raster)
  assert.ok(west < -140 && east > -10 && south < -70 && north > 70, `${west} ${south} ${east} ${north}`)
  assert.equal(validateAreaGeometry(computeRasterFootprint(raster)).error, null)
})

function signedArea(shape: AreaGeometry): number {
  const ring = (shape.type === 'Polygon' ? shape.coordinates[0] : shape.coordinates[0]?.[0]) ?? []
  return ring.slice(1).reduce((sum, [x, y], at) => sum + ring[at]![0] * y - x * ring[at]![1], 0)
}

async function openScene(name: string): Promise<Raster> {
  return openRaster(createMemorySource(readFileSync(new URL(`scenes/${name}`, fixtures)), name))
}
