import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { RasterFailure } from '../../failures.ts'
import type { RasterFailureKind } from '../../failures.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import { openRaster } from '../../formats/open-raster.ts'
import type { Raster } from '../../types.ts'
import { readPoint, readPoints } from './point.ts'

const fixtures = new URL('../../../../../fixtures/', import.meta.url)

interface Expectations {
  readonly places: {
    file: string
    longitude: number
    latitude: number
    nearest: (number | null)[]
    bilinear: (number | null)[]
  }[]
}

const expected = JSON.parse(readFileSync(new URL('measures/expectations.json', fixtures), 'utf8')) as Expectations

for (const { file, longitude, latitude, nearest, bilinear } of expected.places) {
  test(`${file}: the values at ${longitude.toFixed(4)}, ${latitude.toFixed(4)}`, async () => {
    const raster = await openFixture(file)
    assert.deepEqual(await readPoint(raster, longitude, latitude), nearest)
    const blended = await readPoint(raster, longitude, latitude, { resampling: 'bilinear' })
    for (const [band, value] of bilinear.entries()) assertClose(blended[band]!, value, 1e-5)
  })
}

test('scale and offset of the band are applied on request', async () => {
  const raster = await openFixture('measures/scaled-i16.tif')
  const { longitude, latitude, nearest } = expected.places.find(
    ({ file, nearest: values }) => file === 'measures/scaled-i16.tif' && values.every((value) => value !== null),
  )!
  const scaled = await readPoint(raster, longitude, latitude, { scaled: true })
  assert.deepEqual(scaled, [nearest[0]! * 0.0001 - 0.1, nearest[1]! * -0.5 + 1000])
  assert.deepEqual(await readPoint(raster, longitude, latitude, { scaled: true, bands: [1] }), [scaled[1]])
})

test('several places are read in their order, and one outside of the image has no values', async () => {
  const raster = await openFixture('measures/scaled-i16.tif')
  const inside = expected.places.filter(({ file }) => file === 'measures/scaled-i16.tif')
  const wanted = [...inside, null, ...inside.toReversed()]
  const found = await readPoints(
    raster,
    wanted.map((place) => (place ? [place.longitude, place.latitude] : [100, 0])),
  )
  assert.deepEqual(
    found,
    wanted.map((place) => place && place.nearest),
  )
  await fails('request', readPoints(raster, [[8, 44]], { bands: [5] }))
})

test('what is not there is a failure with a name', async () => {
  const raster = await openFixture('measures/scaled-i16.tif')
  await fails('outside', readPoint(raster, 100, 0))
  await fails('request', readPoint(raster, 8, 44, { bands: [5] }))
  await fails('request', readPoint(raster, 8, 44, { level: 3 }))
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
  return openRaster(createMemorySource(readFileSync(new URL(name, fixtures)), name))
}
