import { isPointInGeometry } from '@swath/geo/point-in-geometry.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { Bounds } from '@swath/geo/tile-grid.ts'

/** Selects the points of a granule to read. */
export interface GranuleRequest {
  /** West is greater than east if it crosses the antimeridian. */
  readonly bbox: Bounds
  readonly clip: AreaGeometry | null
  readonly max_points: number
}

export type GranulePoint = [longitude: number, latitude: number, value: number]

/** Points of a granule within the requested area. */
export interface GranulePoints {
  readonly points: readonly GranulePoint[]
  readonly value_label: string
  /** The number of points before subsampling. */
  readonly count: number
}

/** True for positions within the box and the polygon. */
export function createGranulePointFilter({
  bbox,
  clip,
}: GranuleRequest): (longitude: number, latitude: number) => boolean {
  const [west, south, east, north] = bbox
  const isBetween = (longitude: number): boolean =>
    west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east
  return (longitude, latitude) =>
    latitude >= south &&
    latitude <= north &&
    isBetween(longitude) &&
    (clip === null || isPointInGeometry(longitude, latitude, clip))
}

/** Every n-th point, so that no more than `max_points` remain. */
export function subsamplePoints(points: readonly GranulePoint[], max_points: number): readonly GranulePoint[] {
  const step = Math.ceil(points.length / max_points)
  return step <= 1 ? points : points.filter((_, index) => index % step === 0)
}

/** Smallest and largest value; empty without points. */
export function findValueRange(points: readonly GranulePoint[]): number[] {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const [, , value] of points) [min, max] = [Math.min(min, value), Math.max(max, value)]
  return points.length > 0 ? [min, max] : []
}
