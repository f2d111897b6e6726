import type { Geometry } from '@swath/contract/shapes/geojson.ts'
import { splitAtAntimeridian } from '@swath/geo/antimeridian.ts'
import { polygonOfBounds } from '@swath/geo/bbox.ts'
import { createHull } from './hull.ts'

export type Box = readonly [west: number, south: number, east: number, north: number]

/** Collects the extent of the parts of features. */
export interface Extent {
  add(positions: readonly (readonly number[])[]): void
  /** Null if nothing was added. West is greater than east across the antimeridian. */
  bbox(): Box | null
  /** The convex hull of all parts: a point, a line, or an area with few vertices, split at the antimeridian. */
  hull(): Geometry | null
}

const limit_corners = 500
/** Data crosses the antimeridian if it comes this close to it from both sides and leaves half the earth empty. */
const near_degrees = 5
const free_degrees = 180

/** The covered longitudes within one degree, by integer degree from -180. */
interface Column {
  least: number
  most: number
}

export function createExtent(): Extent {
  const columns: (Column | undefined)[] = Array.from({ length: 360 })
  const [flat, turned] = [createHull(), createHull()]
  let [south, north] = [Infinity, -Infinity]
  const mark = (west: number, east: number): void => {
    for (let degree = columnOf(west); degree <= columnOf(east); degree++) {
      const from = Math.max(west, degree - 180)
      const to = Math.min(east, degree - 179)
      const column = columns[degree]
      columns[degree] = column
        ? { least: Math.min(column.least, from), most: Math.max(column.most, to) }
        : { least: from, most: to }
    }
  }
  const crossing = (): [number, number] | null => crossingSpan(columns)
  const bbox = (): Box | null => {
    const covered = columns.filter((column) => column !== undefined)
    if (covered.length === 0) return null
    const [west, east] = crossing() ?? [covered[0]!.least, covered.at(-1)!.most]
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
        flat.add(x, y)
        turned.add(x < 0 ? x + 360 : x, y)
      }
      mark(west, east)
    },
    bbox,
    hull() {
      const box = bbox()
      if (!box) return null
      const corners = (box[0] > box[2] ? turned : flat).corners()
      return geometryOf(corners) ?? (polygonOfBounds(box) as unknown as Geometry)
    },
  }
}

const columnOf = (longitude: number): number => Math.min(359, Math.floor(longitude + 180))

function geometryOf(corners: readonly (readonly [number, number])[]): Geometry | null {
  const back = corners.map(([x, y]): [number, number] => [x > 180 ? x - 360 : x, y])
  if (corners.length === 1) return { type: 'Point', coordinates: back[0]! }
  if (corners.length === 2) {
    const isSplit = Math.abs(back[0]![0] - back[1]![0]) > 180
    return isSplit ? { type: 'MultiPoint', coordinates: back } : { type: 'LineString', coordinates: back }
  }
  if (corners.length > limit_corners) return null
  const ring = [...corners, corners[0]!]
  return splitAtAntimeridian({ type: 'Polygon', coordinates: [ring] }) as unknown as Geometry
}

/** West and east of data around the antimeridian; null for other data. */
function crossingSpan(columns: readonly (Column | undefined)[]): [west: number, east: number] | null {
  const covered = columns.flatMap((column) => (column ? [column] : []))
  const seam = covered.length === 0 ? Infinity : covered[0]!.least + 360 - covered.at(-1)!.most
  if (seam > near_degrees) return null
  for (const [at, { most }] of covered.entries()) {
    const next = covered[at + 1]
    if (next && next.least - most > free_degrees) return [next.least, most]
  }
  return null
}
