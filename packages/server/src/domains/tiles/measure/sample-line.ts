import { solveDirectGeodesic, solveInverseGeodesic, type Geodesic } from '@swath/geo/geodesic.ts'
import { validationProblem } from '../../../engine/problem.ts'

/** A position on a line, with its distance from the start. */
export interface LinePosition {
  readonly lon: number
  readonly lat: number
  readonly distance_m: number
}

interface Segment {
  readonly lon: number
  readonly lat: number
  /** Distance of its beginning from the start of the line. */
  readonly from_m: number
  readonly geodesic: Geodesic
}

/**
 * Positions at equal distances along a line of longitudes and latitudes, on the ellipsoid, both ends included. Throws
 * `validation` for a position outside the globe, and for a line without length.
 *
 * @param samples at least 2.
 */
export function sampleEquidistantLinePositions(
  coordinates: readonly (readonly number[])[],
  samples: number,
): { length_m: number; positions: LinePosition[] } {
  requireOnGlobe(coordinates)
  const segments = toSegments(coordinates)
  const last = segments.at(-1)
  const length_m = last ? last.from_m + last.geodesic.metres : 0
  if (length_m === 0) throw validationProblem([{ path: 'coordinates', message: 'the line has no length' }])
  const positions = Array.from({ length: samples }, (_, at) => locate(segments, (length_m * at) / (samples - 1)))
  return { length_m, positions }
}

function requireOnGlobe(coordinates: readonly (readonly number[])[]): void {
  const errors = coordinates.flatMap(([lon, lat], at) =>
    Math.abs(lon!) <= 180 && Math.abs(lat!) <= 90
      ? []
      : [{ path: `coordinates.${at}`, message: 'is not a longitude and a latitude in degrees' }],
  )
  if (errors.length > 0) throw validationProblem(errors)
}

function toSegments(coordinates: readonly (readonly number[])[]): Segment[] {
  let from_m = 0
  return coordinates.slice(1).flatMap(([lon2, lat2], at) => {
    const [lon, lat] = coordinates[at]! as [number, number]
    const geodesic = solveInverseGeodesic(lon, lat, lon + wrapLongitude(lon2! - lon), lat2!)
    if (!geodesic) throw validationProblem([{ path: `coordinates.${at + 1}`, message: 'is opposite on the globe' }])
    const segment = { lon, lat, from_m, geodesic }
    from_m += geodesic.metres
    return geodesic.metres > 0 ? [segment] : []
  })
}

function locate(segments: readonly Segment[], distance_m: number): LinePosition {
  const segment = segments.findLast(({ from_m }) => from_m <= distance_m)!
  const metres = Math.min(distance_m - segment.from_m, segment.geodesic.metres)
  const [lon, lat] = solveDirectGeodesic(segment.lon, segment.lat, { ...segment.geodesic, metres })
  return { lon: wrapLongitude(lon), lat, distance_m }
}

const wrapLongitude = (lon: number): number => (lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon)
