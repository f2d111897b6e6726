import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import { splitPolygonAtAntimeridian } from '@swath/geo/antimeridian.ts'
import { boundsToPolygon } from '@swath/geo/bbox.ts'
import { createConvexHull } from './convex-hull.ts'

export type ExtentBounds = readonly [west: number, south: number, east: number, north: number]

/** Collects the extent of the parts of features. */
export interface ExtentBuilder {
  add(positions: readonly (readonly number[])[]): void
  /** Null if nothing was added. West is greater than east across the antimeridian. */
  bbox(): ExtentBounds | null
  /** The convex hull of all parts: a point, a line, or an area with few vertices, split at the antimeridian. */
  hull(): Geometry | null
}

const max_hull_vertices = 500
/** Data crosses the antimeridian if it comes this close to it from both sides and leaves half the earth empty. */
const max_gap_degrees = 5
const min_empty_degrees = 180

/** The covered longitudes within one degree, by integer degree from -180. */
interface LongitudeRange {
  min: number
  max: number
}

export function createExtentBuilder(): ExtentBuilder {
  const ranges: (LongitudeRange | undefined)[] = Array.from({ length: 360 })
  const [plainHull, shiftedHull] = [createConvexHull(), createConvexHull()]
  let [south, north] = [Infinity, -Infinity]
  const coverLongitudes = (west: number, east: number): void => {
    for (let degree = rangeIndex(west); degree <= rangeIndex(east); degree++) {
      const from = Math.max(west, degree - 180)
      const to = Math.min(east, degree - 179)
      const range = ranges[degree]
      ranges[degree] = range ? { min: Math.min(range.min, from), max: Math.max(range.max, to) } : { min: from, max: to }
    }
  }
  const crossingBounds = (): [number, number] | null => findCrossingBounds(ranges)
  const bbox = (): ExtentBounds | null => {
    const covered = ranges.filter((range) => range !== undefined)
    if (covered.length === 0) return null
    const [west, east] = crossingBounds() ?? [covered[0]!.min, covered.at(-1)!.max]
    return [west, south, east, north]
  }
  return {
    add(positions) {
      let [west, east] = [Infinity, -Infinity]
      for (const [x, y] of positions as readonly [number, number][]) {
        west = Math.min(west, x)
        east = Math.max(east, x)
        south = Math.min(south, y)
        north = Math.max(north, y)
        plainHull.add(x, y)
        shiftedHull.add(x < 0 ? x + 360 : x, y)
      }
      coverLongitudes(west, east)
    },
    bbox,
    hull() {
      const box = bbox()
      if (!box) return null
      const vertices = (box[0] > box[2] ? shiftedHull : plainHull).vertices()
      return hullGeometry(vertices) ?? (boundsToPolygon(box) as unknown as Geometry)
    },
  }
}

const rangeIndex = (longitude: number): number => Math.min(359, Math.floor(longitude + 180))

function hullGeometry(vertices: readonly (readonly [number, number])[]): Geometry | null {
  const normalized = vertices.map(([x, y]): [number, number] => [x > 180 ? x - 360 : x, y])
  if (vertices.length === 1) return { type: 'Point', coordinates: normalized[0]! }
  if (vertices.length === 2) {
    const isSplit = Math.abs(normalized[0]![0] - normalized[1]![0]) > 180
    return isSplit ? { type: 'MultiPoint', coordinates: normalized } : { type: 'LineString', coordinates: normalized }
  }
  if (vertices.length > max_hull_vertices) return null
  const ring = [...vertices, vertices[0]!]
  return splitPolygonAtAntimeridian({ type: 'Polygon', coordinates: [ring] }) as unknown as Geometry
}

/** West and east of data around the antimeridian; null for other data. */
function findCrossingBounds(ranges: readonly (LongitudeRange | undefined)[]): [west: number, east: number] | null {
  const covered = ranges.flatMap((range) => (range ? [range] : []))
  const gap_degrees = covered.length === 0 ? Infinity : covered[0]!.min + 360 - covered.at(-1)!.max
  if (gap_degrees > max_gap_degrees) return null
  for (const [at, { max }] of covered.entries()) {
    const next = covered[at + 1]
    if (next && next.min - max > min_empty_degrees) return [next.min, max]
  }
  return null
}
