import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { RasterFailure } from '../../failures.ts'
import type { RasterFailureKind } from '../../failures.ts'
import { memorySource } from '../../io/source/memory.ts'
import { openRaster } from '../../formats/open-raster.ts'
import type { Raster } from '../../types.ts'
import { readPoint } from './point.ts'
import { readProfile } from './profile.ts'

const FIXTURES = new URL('../../../../../fixtures/', import.meta.url)

interface Expectations {
  readonly places: {
    file: string
    longitude: number
    latitude: number
    nearest: (number | null)[]
    bilinear: (number | null)[]
  }[]
  readonly profiles: {
    file: string
    line: [number, number][]
    metres: number
    points: [metres: number, longitude: number, latitude: number][]
  }[]
}

const expected = JSON.parse(readFileSync(new URL('measures/expectations.json', FIXTURES), 'utf8')) as Expectations

for (const { file, longitude, latitude, nearest, bilinear } of expected.places) {
  test(`${file}: the values at ${longitude.toFixed(4)}, ${latitude.toFixed(4)}`, async () => {
    const raster = await openFixture(file)
    assert.deepEqual(await readPoint(raster, longitude, latitude), nearest)
    const blended = await readPoint(raster, longitude, latitude, { resampling: 'bilinear' })
    for (const [band, value] of bilinear.entries()) assertClose(blended[band]!, value, 1e-5)
  })
}

for (const { file, line, metres, points } of expected.profiles) {
  test(`${file}: a profile at equal steps of PROJ's geodesics`, async () => {
    const raster = await openFixture(file)
    const profile = await readProfile(raster, { type: 'LineString', coordinates: line }, { samples: points.length })
    assertClose(profile.length_m, metres, 1e-9)
    assert.equal(profile.points.length, points.length)
    for (const [at, [distance, longitude, latitude]] of points.entries()) {
      const point = profile.points[at]!
      assertClose(point.distance_m, distance, 1e-9)
      assert.ok(Math.abs(((point.longitude - longitude + 540) % 360) - 180) < 1e-8)
      assertClose(point.latitude, latitude, 1e-9)
      assert.deepEqual(point.values, await readPoint(raster, point.longitude, point.latitude))
    }
  })
}

test('a profile by a step ends with the last whole step, and goes on outside of the picture without values', async () => {
  const raster = await openFixture('measures/dateline-f32.tif')
  const coordinates = [
    [175, 5],
    [-160, 5],
  ] as const
  const { length_m, points } = await readProfile(raster, { type: 'LineString', coordinates }, { step_m: 100_000 })
  assert.equal(points.length, Math.floor(length_m / 100_000) + 1)
  assert.equal(points.at(-1)!.distance_m, (points.length - 1) * 100_000)
  assert.ok(points.filter(({ longitude }) => longitude > 175 || longitude < -170.01).every(({ values }) => values[0]))
  assert.deepEqual(points.at(-1)!.values, [null])
})

test('scale and offset of the band are applied on request', async () => {
  const raster = await openFixture('measures/scaled-i16.tif')
  const { longitude, latitude, nearest } = expected.places.find(
    ({ file, nearest: values }) => file === 'measures/scaled-i16.tif' && values.every((value) => value !== null),
  )!
  const scaled = await readPoint(raster, longitude, latitude, { scaled: true })
  assert.deepEqual(scaled, [nearest[0]! * 0.0001 - 0.1, nearest[1]! * -0.5 + 1000])
  assert.deepEqual(await readPoint(raster, longitude, latitude, { scaled: true, bands: [1] }), [scaled[1]])
})

test('what is not there is a failure with a name', async () => {
  const raster = await openFixture('measures/scaled-i16.tif')
  const line = (...coordinates: [number, number][]) => ({ type: 'LineString', coordinates }) as const
  await fails('outside', readPoint(raster, 100, 0))
  await fails('request', readPoint(raster, 8, 44, { bands: [5] }))
  await fails('request', readPoint(raster, 8, 44, { level: 3 }))
  await fails('outside', readProfile(raster, line([100, 0], [101, 1]), { samples: 5 }))
  await fails('request', readProfile(raster, line([8, 44], [8, 44]), { samples: 5 }))
  await fails('request', readProfile(raster, line([8, 44]), { samples: 5 }))
  await fails('request', readProfile(raster, line([0, 0], [180, 0]), { samples: 5 }))
  await fails('request', readProfile(raster, line([8, 44], [9, 44]), { samples: 1 }))
  await fails('request', readProfile(raster, line([8, 44], [9, 44]), { step_m: 0.01 }))
})

async function fails(kind: RasterFailureKind, work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => error instanceof RasterFailure && error.kind === kind)
}

function assertClose(found: number | null, wanted: number | null, tolerance: number): void {
  if (found === wanted) return
  assert.ok(found !== null && wanted !== null, `${found} for ${wanted}`)
  assert.ok(Math.abs(found - wanted) <= tolerance * Math.max(1, Math.abs(wanted)), `${found} for ${wanted}`)
}

async function openFixture(name: string): Promise<Raster> {
  return openRaster(memorySource(readFileSync(new URL(name, FIXTURES)), name))
}
