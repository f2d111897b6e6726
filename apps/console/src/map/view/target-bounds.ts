import type { MapView } from '../map-view.ts'

export type LonLatBounds = readonly [west: number, south: number, east: number, north: number]

/** The canvas of a map in CSS pixels, and how much of its lower part a sheet covers. */
export interface MapSize {
  readonly width: number
  readonly height: number
  readonly covered: number
}

/** Pixels of the world at zoom 0, as MapLibre has it. */
const world_px = 512
const max_latitude = 85.051129
const toRadians = Math.PI / 180

/** Web Mercator, 0 at the top of the world and 1 at its bottom. */
const toMercatorY = (lat: number): number =>
  (1 - Math.asinh(Math.tan(Math.max(-max_latitude, Math.min(max_latitude, lat)) * toRadians)) / Math.PI) / 2
const toLatitude = (y: number): number =>
  Math.atan(Math.sinh(Math.PI * (1 - 2 * Math.max(0, Math.min(1, y))))) / toRadians
const clampLongitude = (lon: number): number => Math.max(-180, Math.min(180, lon))

/**
 * Returns the bounds that a map will show at a view, on all of its canvas, before it has moved there. The centre of the
 * view is the middle of the part that is not covered.
 */
export function targetBounds({ lon, lat, zoom }: MapView, { width, height, covered }: MapSize): LonLatBounds {
  const size_px = world_px * 2 ** zoom
  const half_deg = (width / 2 / size_px) * 360
  const y = toMercatorY(lat)
  const above_px = (height - covered) / 2
  return [
    clampLongitude(lon - half_deg),
    toLatitude(y + (height - above_px) / size_px),
    clampLongitude(lon + half_deg),
    toLatitude(y - above_px / size_px),
  ]
}

/** Both show the same part of the world, but for a fiftieth of its size. */
export function areNear(left: LonLatBounds, right: LonLatBounds): boolean {
  const [width, height] = [left[2] - left[0], left[3] - left[1]]
  return left.every((value, at) => Math.abs(value - right[at]!) <= (at % 2 === 0 ? width : height) / 50)
}
