import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import { day_ms } from '@swath/geo/time-units.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { readConstellationSatellites } from './constellation-satellites.ts'
import { findPlannedPasses } from './opportunities.ts'

const sky = await readConstellationSatellites(
  fileURLToPath(new URL('../../../../../demo/orbits/elements.tle', import.meta.url)),
)

const box = (west: number, south: number, east: number, north: number): AreaGeometry => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
})

const from = new Date(Date.UTC(2026, 10, 24))

const findPasses = (product: string, geometry: AreaGeometry, max_off_nadir_deg?: number) =>
  findPlannedPasses(
    sky,
    { product, geometry, from, to: new Date(from.getTime() + 10 * day_ms), max_off_nadir_deg },
    new Date(from.getTime() - day_ms),
  )

/** Areas that are larger than the swath, with the angles at the nearest moment to the centre of the footprint by skyfield 1.53. */
const judged = [
  ['tasking-30cm', box(10, 50, 10.9, 50.5), 'WORLDVIEW-3', 1_795_513_902_903, 43.653, 97.93, 49.211],
  ['tasking-30cm', box(10, 50, 10.9, 50.5), 'WORLDVIEW-3', 1_796_293_862_360, 6.61, 285.51, 7.254],
  ['tasking-50cm', box(-60, -3.6, -59.2, -2.6), 'SKYSAT-C5', 1_795_953_070_854, 1.111, 100.75, 1.192],
  ['tasking-1m5', box(20, 10, 22, 11.9), 'SPOT 7', 1_796_200_186_837, 28.207, 282.67, 31.596],
] as const

for (const [product, geometry, satellite, time_ms, off_nadir_deg, azimuth_deg, incidence_deg] of judged)
  test(`the angles of a pass of ${satellite} are those at the part that it acquires, ${off_nadir_deg} off nadir`, async () => {
    const passes = await findPasses(product, geometry)
    const pass = passes.find((one) => one.satellite === satellite && Math.abs(one.at.getTime() - time_ms) < 60_000)
    assert.ok(pass && pass.coverage < 1)
    assert.ok(Math.abs(pass.at.getTime() - time_ms) < 100, pass.at.toISOString())
    assert.ok(Math.abs(pass.off_nadir_deg - off_nadir_deg) < 0.01, `${pass.off_nadir_deg}`)
    // The azimuth of a satellite overhead is sensitive.
    assert.ok(Math.abs(pass.view_azimuth_deg - azimuth_deg) < 0.2, `${pass.view_azimuth_deg}`)
    assert.ok(Math.abs(pass.incidence_deg - incidence_deg) < 0.01, `${pass.incidence_deg}`)
  })

test('no part of an area is acquired beyond the limit of a request', async () => {
  const area = box(20, 10, 22, 11.9)
  const [wide, narrow] = [await findPasses('tasking-1m5', area, 30), await findPasses('tasking-1m5', area, 10)]
  assert.ok(narrow.length > 0 && narrow.length < wide.length)
  for (const pass of wide) assert.ok(pass.off_nadir_deg <= 30, `${pass.satellite} ${pass.off_nadir_deg}`)
  for (const pass of narrow) assert.ok(pass.off_nadir_deg <= 10, `${pass.satellite} ${pass.off_nadir_deg}`)
})
