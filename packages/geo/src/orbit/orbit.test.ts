import assert from 'node:assert/strict'
import { test } from 'node:test'
import { day_ms } from '../time-units.ts'
import { solveInverseGeodesic } from '../geodesic.ts'
import { listPolygonRings, type AreaGeometry, type Polygon } from '../geojson.ts'
import { validateAreaGeometry } from '../validate-area.ts'
import { coveredFraction } from '../polygon-clip.ts'
import { computeAreaCenter, sampleAreaPoints } from './area-points.ts'
import {
  earthFixedToGeodetic,
  geodeticToEarthFixed,
  intersectEllipsoid,
  computeGreenwichSiderealTime,
  computeEllipsoidNormal,
} from './earth-frame.ts'
import { ElementSetError, parseElementSet, parseElementSets } from './element-set.ts'
import { findSatellitePasses } from './passes.ts'
import { createSatellite, findOrbitDirection, computeSubsatellitePoint } from './satellite.ts'
import { computeSunAngles } from './sun.ts'
import { computeGroundTrack, intersectLineOfSight, computeSwathStrip } from './tracks.ts'
import { createSurfacePointAxes, computeRollAngle, computeViewAngles } from './view-angles.ts'

const sentinel = [
  'SENTINEL-2A',
  '1 40697U 15028A   26274.29857647 -.00000002  00000+0  15863-4 0  9990',
  '2 40697  98.5653 347.6046 0001070  85.9280 274.2026 14.30818852588907',
] as const
/** The example of Spacetrack Report #3, with its checksums. */
const report = [
  'REPORT 3',
  '1 88888U          80275.98708465  .00073094  13844-3  66816-4 0    87',
  '2 88888  72.8435 115.9689 0086731  52.6988 110.5714 16.05824518  1058',
] as const

const satellite = createSatellite(parseElementSet(...sentinel))
const epoch_ms = Date.UTC(2026, 9, 1, 7, 9, 57)
const isNear = (actual: number, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not within ${tolerance} of ${expected}`)

test('reads the epoch and the orbit of element sets', () => {
  const [set, other] = parseElementSets(`${sentinel.join('\r\n')}\n\n${report.join('\n')}\n`)
  assert.equal(set!.name, 'SENTINEL-2A')
  assert.equal(set!.epoch.toISOString(), '2026-10-01T07:09:57.007Z')
  isNear(set!.mean_motion, 14.30818852, 1e-9)
  assert.equal(other!.epoch.getUTCFullYear(), 1980)
})

test('refuses texts that are not element sets', () => {
  const [name, line1, line2] = sentinel
  const rubbish: readonly (readonly [string, string, string])[] = [
    [name, '', ''],
    [name, line2, line1],
    [name, line1.slice(0, 68), line2],
    [name, line1.replace('15863', '15864'), line2],
    [name, `${line1.slice(0, -1)}1`, line2],
    [name, line1.replace('26274.2', '26NaN.2'), line2],
    [name, line1, report[2]],
    [name, '1 '.padEnd(69, '0'), '2 '.padEnd(69, '0')],
  ]
  for (const lines of rubbish) assert.throws(() => parseElementSet(...lines), ElementSetError, lines.join('\n'))
  assert.throws(() => parseElementSets(sentinel.slice(0, 2).join('\n')), ElementSetError)
  assert.deepEqual(parseElementSets(''), [])
})

test('finds no orbit and no passes where the elements have decayed', () => {
  const decaying = createSatellite(parseElementSet(...report))
  const epoch = decaying.elements.epoch.getTime()
  assert.ok(decaying.stateAt(epoch))
  const later = epoch + 400 * day_ms
  assert.equal(decaying.stateAt(later), null)
  assert.equal(computeSubsatellitePoint(decaying, later), null)
  assert.equal(findOrbitDirection(decaying, later), null)
  const search = { from_ms: later, to_ms: later + 30 * day_ms, max_off_nadir_deg: 45 }
  assert.deepEqual(findSatellitePasses(decaying, [createSurfacePointAxes(10, 50)], search), [])
  assert.deepEqual(computeGroundTrack(decaying, { from_ms: later, to_ms: later + 60_000 }).coordinates, [])
  assert.equal(
    computeSwathStrip(decaying, { from_ms: later, to_ms: later + 60_000, roll_deg: 0, half_width_deg: 1 }),
    null,
  )
})

test('turns the earth by its sidereal time', () => {
  // Vallado, example 3-5: 20 August 1992, 12:14 UT1.
  isNear((computeGreenwichSiderealTime(Date.UTC(1992, 7, 20, 12, 14)) * 180) / Math.PI, 152.578788, 1e-5)
})

test('converts positions to geodetic ones and back, also at the poles and in orbit', () => {
  for (const latitude of [-90, -89.9, -45, 0, 1e-6, 60, 90])
    for (const height_km of [0, 8, 800]) {
      const position = geodeticToEarthFixed({ longitude: 179.5, latitude, height_km })
      const found = earthFixedToGeodetic(position)
      isNear(found.latitude, latitude, 1e-9)
      isNear(found.height_km, height_km, 1e-6)
      if (Math.abs(latitude) < 90) isNear(found.longitude, 179.5, 1e-9)
      const up = computeEllipsoidNormal(position)
      isNear(up[2], Math.sin((latitude * Math.PI) / 180), 1e-12)
    }
})

test('stays between the latitudes of its inclination and at its height', () => {
  for (let minute = 0; minute < 200; minute++) {
    const point = computeSubsatellitePoint(satellite, epoch_ms + minute * 60_000)!
    assert.ok(Math.abs(point.latitude) < 81.6)
    assert.ok(point.height_km > 780 && point.height_km < 825)
  }
  const south = Array.from({ length: 50 }, (_, minute) => epoch_ms + minute * 120_000)
  assert.deepEqual(
    new Set(south.map((time) => findOrbitDirection(satellite, time))),
    new Set(['ascending', 'descending']),
  )
})

test('sees the point below it straight down, and is in its zenith', () => {
  const state = satellite.stateAt(epoch_ms)!
  const { longitude, latitude } = computeSubsatellitePoint(satellite, epoch_ms)!
  const view = computeViewAngles(state, createSurfacePointAxes(longitude, latitude))
  isNear(view.off_nadir_deg, 0, 1e-6)
  isNear(view.elevation_deg, 90, 1e-6)
  const antipode = computeViewAngles(state, createSurfacePointAxes(longitude + 180, -latitude))
  assert.ok(antipode.elevation_deg < -80)
})

test('looks across its track at the angle of the roll', () => {
  const state = satellite.stateAt(epoch_ms)!
  for (const roll of [-30, -5, 0, 12.5, 30]) {
    const [longitude, latitude] = intersectLineOfSight(satellite, epoch_ms, roll)!
    const place = createSurfacePointAxes(longitude, latitude)
    isNear(computeRollAngle(state, place), roll, 1e-6)
    isNear(computeViewAngles(state, place).off_nadir_deg, Math.abs(roll), 1e-6)
  }
  assert.equal(intersectLineOfSight(satellite, epoch_ms, 80), null)
  assert.equal(intersectEllipsoid([7000, 0, 0], [1, 0, 0]), null)
})

test('finds each pass once, with limits at the given angle and its smallest angle between them', () => {
  const place = createSurfacePointAxes(11.35, 46.5)
  const search = { from_ms: epoch_ms, to_ms: epoch_ms + 20 * day_ms, max_off_nadir_deg: 30 }
  const passes = findSatellitePasses(satellite, [place], search)
  assert.ok(passes.length >= 10)
  const angleAt = (time_ms: number): number => computeViewAngles(satellite.stateAt(time_ms)!, place).off_nadir_deg
  for (const [index, pass] of passes.entries()) {
    isNear(angleAt(pass.start_ms), 30, 0.01)
    isNear(angleAt(pass.end_ms), 30, 0.01)
    isNear(angleAt(pass.closest_ms), pass.off_nadir_deg, 1e-9)
    for (const shift of [-2000, 2000]) assert.ok(angleAt(pass.closest_ms + shift) > pass.off_nadir_deg)
    const next = passes[index + 1]
    if (next) assert.ok(next.start_ms > pass.end_ms)
  }
  // Every second of two days: none is missed.
  const expected = passes.filter(({ closest_ms }) => closest_ms < epoch_ms + 2 * day_ms)
  for (let time_ms = epoch_ms; time_ms < epoch_ms + 2 * day_ms; time_ms += 1000) {
    const view = computeViewAngles(satellite.stateAt(time_ms)!, place)
    if (view.elevation_deg < 0 || view.off_nadir_deg > 29.9) continue
    assert.ok(expected.some(({ start_ms, end_ms }) => start_ms <= time_ms && time_ms <= end_ms))
  }
})

test('gives a pass the same times whenever the search begins', () => {
  const place = createSurfacePointAxes(-70, -33)
  const search = { from_ms: epoch_ms, to_ms: epoch_ms + 10 * day_ms, max_off_nadir_deg: 25 }
  const passes = findSatellitePasses(satellite, [place], search)
  for (const from_ms of [epoch_ms + 12_345, epoch_ms + 3_333_333]) {
    const again = findSatellitePasses(satellite, [place], { ...search, from_ms })
    assert.deepEqual(again, passes.slice(-again.length))
  }
})

test('finds passes near the poles and on the antimeridian, and none where the orbit does not reach', () => {
  const search = { from_ms: epoch_ms, to_ms: epoch_ms + 5 * day_ms, max_off_nadir_deg: 10 }
  const count = (longitude: number, latitude: number): number =>
    findSatellitePasses(satellite, [createSurfacePointAxes(longitude, latitude)], search).length
  assert.equal(count(0, 90), 0)
  assert.ok(count(0, 81) > count(0, 0) + 10)
  assert.equal(count(180, -17), count(-180, -17))
  assert.ok(count(180, -81) > 0)
  assert.deepEqual(findSatellitePasses(satellite, [], search), [])
})

test('finds passes over an area whose centre is out of reach', () => {
  const wide: Polygon = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 40],
        [12, 40],
        [12, 41],
        [0, 41],
        [0, 40],
      ],
    ],
  }
  const search = { from_ms: epoch_ms, to_ms: epoch_ms + 10 * day_ms, max_off_nadir_deg: 5 }
  const area = findSatellitePasses(satellite, sampleAreaPoints(wide), search)
  const center = findSatellitePasses(satellite, [computeAreaCenter(wide)], search)
  assert.ok(area.length > center.length)
})

test('has the centre of an area across the antimeridian on it', () => {
  const west = [
    [
      [179, -1],
      [180, -1],
      [180, 1],
      [179, 1],
      [179, -1],
    ],
  ] as const
  const east = [
    [
      [-180, -1],
      [-179, -1],
      [-179, 1],
      [-180, 1],
      [-180, -1],
    ],
  ] as const
  const { longitude, latitude } = computeAreaCenter({ type: 'MultiPolygon', coordinates: [west, east] })
  isNear(Math.abs(longitude), 180, 1e-6)
  isNear(latitude, 0, 1e-6)
})

test('draws a strip of the width of the instrument', () => {
  const { height_km } = computeSubsatellitePoint(satellite, epoch_ms)!
  const half_width_deg = (Math.atan(145 / height_km) * 180) / Math.PI
  const left = intersectLineOfSight(satellite, epoch_ms, -half_width_deg)!
  const right = intersectLineOfSight(satellite, epoch_ms, half_width_deg)!
  isNear(solveInverseGeodesic(...left, ...right)!.metres / 1000, 290, 3)
})

const latitudesOf = (geometry: AreaGeometry): number[] =>
  listPolygonRings(geometry).flatMap((polygon) => polygon.flatMap((ring) => ring.map(([, latitude]) => latitude)))

const capAround = (pole: number): Polygon => {
  const edge = pole - Math.sign(pole) * 0.01
  const [south, north] = [Math.min(pole, edge), Math.max(pole, edge)]
  return {
    type: 'Polygon',
    coordinates: [
      [
        [-170, south],
        [170, south],
        [170, north],
        [-170, north],
        [-170, south],
      ],
    ],
  }
}

test('cuts tracks and strips at the antimeridian, and closes strips around a pole', () => {
  let [cut, polar] = [0, 0]
  for (let start = epoch_ms; start < epoch_ms + day_ms; start += 300_000) {
    const window = { from_ms: start, to_ms: start + 300_000 }
    for (const line of computeGroundTrack(satellite, window).coordinates)
      for (const [index, [x]] of line.entries()) {
        assert.ok(x! >= -180 && x! <= 180)
        if (index > 0) assert.ok(Math.abs(x! - line[index - 1]![0]!) < 180)
      }
    const strip = computeSwathStrip(satellite, { ...window, roll_deg: 10, half_width_deg: 20 })!
    assert.equal(validateAreaGeometry(strip).error, null, JSON.stringify(strip))
    if (strip.type === 'MultiPolygon') cut++
    const wide = computeSwathStrip(satellite, { ...window, roll_deg: 0, half_width_deg: 55 })
    if (!wide) continue
    const pole = latitudesOf(wide).find((latitude) => Math.abs(latitude) === 90)
    if (pole !== undefined) {
      polar++
      assert.ok(coveredFraction(capAround(pole), [wide]) > 0.999)
    }
    const { longitude, latitude } = computeSubsatellitePoint(satellite, start + 150_000)!
    const [x, y] = [Math.min(179.9, Math.max(-179.9, longitude)), latitude]
    const below: Polygon = {
      type: 'Polygon',
      coordinates: [
        [
          [x - 0.05, y - 0.05],
          [x + 0.05, y - 0.05],
          [x + 0.05, y + 0.05],
          [x - 0.05, y + 0.05],
          [x - 0.05, y - 0.05],
        ],
      ],
    }
    isNear(coveredFraction(below, [strip]), 1, 1e-6)
  }
  assert.ok(cut > 5 && polar > 0, `${cut} cut, ${polar} around a pole`)
  assert.ok(computeGroundTrack(satellite, { from_ms: epoch_ms, to_ms: epoch_ms + day_ms / 4 }).coordinates.length > 3)
})

test('puts the sun where the almanac does', () => {
  // Solstice and equinox: the height at noon follows from the obliquity; the sun rises in the east.
  const greenwich = createSurfacePointAxes(0, 51.4779)
  const noon = computeSunAngles(greenwich, Date.UTC(2024, 5, 20, 12, 2))
  isNear(noon.elevation_deg, 90 - 51.4779 + 23.436, 0.02)
  isNear(noon.azimuth_deg, 180, 0.5)
  const equinox = computeSunAngles(createSurfacePointAxes(0, 0), Date.UTC(2024, 2, 20, 6, 7))
  isNear(equinox.elevation_deg, 0, 0.5)
  isNear(equinox.azimuth_deg, 90, 0.2)
  assert.ok(computeSunAngles(createSurfacePointAxes(0, 89.9), Date.UTC(2024, 11, 21, 12)).elevation_deg < -23)
})
