import type { Bounds } from '@swath/geo/tile-grid.ts'

/** Bounds in degrees, east above 180 if they cross the antimeridian, of a `bbox` of GeoJSON with two or three dimensions; null for anything else. */
export function parseBounds(bbox: readonly number[] | null): Bounds | null {
  const [west, south, east, north] = bbox?.length === 6 ? [0, 1, 3, 4].map((at) => bbox[at]) : (bbox ?? [])
  if (west === undefined || south === undefined || east === undefined || north === undefined) return null
  return [west, south, east < west ? east + 360 : east, north]
}

/** The smallest bounds around all; null without any. */
export function uniteBounds(all: readonly (Bounds | null)[]): Bounds | null {
  return all.reduce<Bounds | null>((union, bounds) => {
    if (!bounds || !union) return union ?? bounds
    return [
      Math.min(union[0], bounds[0]),
      Math.min(union[1], bounds[1]),
      Math.max(union[2], bounds[2]),
      Math.max(union[3], bounds[3]),
    ]
  }, null)
}
