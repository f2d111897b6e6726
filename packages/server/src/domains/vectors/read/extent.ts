import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import { splitPolygonAtAntimeridian } from '@swath/geo/antimeridian.ts'
import { boundsToPolygon } from '@swath/geo/bbox.ts'

type PlanePoint = readonly [x: number, y: number]

/** The number of positions that are collected before inner ones are dropped. */
const max_pending_positions = 20_000

interface ConvexHull {
  add(x: number, y: number): void
  /** The vertices counterclockwise, without repeating the first; one or two if there is no area. */
  vertices(): PlanePoint[]
}

/** Builds the convex hull of a stream of positions; only possible vertices are stored. */
function createConvexHull(): ConvexHull {
  let pending: PlanePoint[] = []
  let innerRing: readonly PlanePoint[] = []
  const compress = (): void => {
    pending = convexHull(pending)
    innerRing = extremeVertices(pending)
  }
  return {
    add(x, y) {
      if (isInside(innerRing, x, y)) return
      pending.push([x, y])
      if (pending.length >= max_pending_positions) compress()
    },
    vertices() {
      compress()
      return pending
    },
  }
}

/** Andrew's monotone chain. */
function convexHull(points: readonly PlanePoint[]): PlanePoint[] {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
  const distinct = sorted.filter(
    (point, at) => at === 0 || point[0] !== sorted[at - 1]![0] || point[1] !== sorted[at - 1]![1],
  )
  if (distinct.length < 3) return distinct
  const [lower, upper] = [halfHull(distinct), halfHull(distinct.toReversed())]
  return [...lower.slice(0, -1), ...upper.slice(0, -1)]
}

function halfHull(points: readonly PlanePoint[]): PlanePoint[] {
  const chain: PlanePoint[] = []
  for (const point of points) {
    while (chain.length >= 2 && turn(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop()
    chain.push(point)
  }
  return chain
}

const turn = (a: PlanePoint, b: PlanePoint, c: PlanePoint): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

const directions = Array.from({ length: 8 }, (_, step): PlanePoint => {
  const angle = (step * Math.PI) / 4
  return [Math.cos(angle), Math.sin(angle)]
})

/** The extreme vertices in eight directions (Akl and Toussaint): positions inside of them are not vertices. */
function extremeVertices(vertices: readonly PlanePoint[]): PlanePoint[] {
  const projection = ([x, y]: PlanePoint, [dx, dy]: PlanePoint): number => x * dx + y * dy
  const extremePoints = directions.map((direction) =>
    vertices.reduce((best, vertex) => (projection(vertex, direction) > projection(best, direction) ? vertex : best)),
  )
  const distinct = extremePoints.filter((point, at) => point !== extremePoints.at(at - 1))
  return distinct.length >= 3 ? distinct : []
}

function isInside(ring: readonly PlanePoint[], x: number, y: number): boolean {
  if (ring.length === 0) return false
  for (let at = 0; at < ring.length; at++) {
    if (turn(ring[at]!, ring[at + 1] ?? ring[0]!, [x, y]) <= 0) return false
  }
  return true
}

export type FeatureExtentBounds = readonly [west: number, south: number, east: number, north: number]

/** Collects the extent of the parts of features. */
export interface FeatureExtentBuilder {
  add(positions: readonly (readonly number[])[]): void
  /** Null if nothing was added. West is greater than east across the antimeridian. */
  bbox(): FeatureExtentBounds | null
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

export function createFeatureExtentBuilder(): FeatureExtentBuilder {
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
  const bbox = (): FeatureExtentBounds | null => {
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
