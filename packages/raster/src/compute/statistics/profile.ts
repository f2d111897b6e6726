import { geodesicInverse, geodesicDirect } from '@swath/geo/geodesic.ts'
import type { Geodesic } from '@swath/geo/geodesic.ts'
import type { Position } from '@swath/geo/geojson.ts'
import { unwrapAfter } from '../../formats/crs/extent.ts'
import { RasterFailure } from '../../failures.ts'
import type { Raster } from '../../types.ts'
import { checkPlaces, checkReached, pixelPlaces, readPlaces } from './read-points.ts'
import type { PointReadRequest, PointValues } from './read-points.ts'

export interface LineString {
  readonly type: 'LineString'
  readonly coordinates: readonly Position[]
}

/** Either a number of samples, from end to end, or the metres between two of them. */
export type ProfileRequest = PointReadRequest &
  (
    | { readonly samples: number; readonly step_m?: undefined }
    | { readonly step_m: number; readonly samples?: undefined }
  )

export interface ProfilePoint {
  /** Along the line, from its beginning. */
  readonly distance_m: number
  readonly longitude: number
  readonly latitude: number
  /** One value per band; null for nodata and outside the raster. */
  readonly values: PointValues
}

export interface RasterProfile {
  readonly length_m: number
  readonly points: readonly ProfilePoint[]
}

const MOST_SAMPLES = 100_000

/**
 * Values along a line in degrees, at equal steps of the shortest way on the WGS 84 ellipsoid from position to position.
 * Failures: `outside` where the picture reaches no sample, `request` for a line that has no length, too many samples or
 * legs that go halfway around the earth, and those of readPoint.
 */
export async function readProfile(raster: Raster, line: LineString, request: ProfileRequest): Promise<RasterProfile> {
  const level = checkPlaces(raster, request)
  const legs = legsOf(line)
  const length_m = legs.reduce((sum, { metres }) => sum + metres, 0)
  const places = placesAlong(legs, distancesOf(length_m, request))
  const toPixels = pixelPlaces(raster, level)
  const found = await readPlaces(
    raster,
    level,
    places.map(({ longitude, latitude }) => toPixels(longitude, latitude)),
    request,
  )
  checkReached(found)
  const empty = (request.bands ?? raster.bands).map(() => null)
  return { length_m, points: places.map((place, at) => ({ ...place, values: found[at] ?? [...empty] })) }
}

interface Leg extends Geodesic {
  readonly from: Position
}

function legsOf({ coordinates }: LineString): Leg[] {
  const legs = coordinates.slice(1).map((to, at): Leg => {
    const from = coordinates[at]!
    const geodesic = geodesicInverse(from[0], from[1], unwrapAfter(from[0], to[0]), to[1])
    if (geodesic && Number.isFinite(geodesic.metres)) return { from, ...geodesic }
    throw new RasterFailure('request', `no shortest way leads from position ${at + 1} of the line to the next`)
  })
  if (legs.some(({ metres }) => metres > 0)) return legs.filter(({ metres }) => metres > 0)
  throw new RasterFailure('request', 'a line has at least two different positions')
}

function distancesOf(length: number, { samples, step_m }: ProfileRequest): number[] {
  const count = step_m === undefined ? samples : Math.floor(length / step_m) + 1
  const isSound = step_m === undefined ? Number.isInteger(samples) && samples! >= 2 : step_m > 0
  if (!isSound || !(count! <= MOST_SAMPLES)) {
    throw new RasterFailure('request', `a profile has 2 to ${MOST_SAMPLES} samples, or a step of some metres`)
  }
  const step = step_m ?? length / (count! - 1)
  return Array.from({ length: count! }, (_, at) => Math.min(length, at * step))
}

function placesAlong(legs: readonly Leg[], distances: readonly number[]): Omit<ProfilePoint, 'values'>[] {
  let leg = 0
  let passed = 0
  return distances.map((distance_m) => {
    while (leg < legs.length - 1 && distance_m - passed > legs[leg]!.metres) passed += legs[leg++]!.metres
    const { from, azimuth } = legs[leg]!
    const [longitude, latitude] = geodesicDirect(from[0], from[1], { azimuth, metres: distance_m - passed })
    return { distance_m, longitude: unwrapAfter(0, longitude), latitude }
  })
}
