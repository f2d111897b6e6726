import type { Polygon } from '@swath/geo/geojson.ts'
import { splitAtAntimeridian } from '@swath/geo/antimeridian.ts'
import type { Fault } from '../../../engine/problem.ts'
import { areaOf } from '../description.ts'
import { isObject } from './document.ts'
import { geometryShape } from './geometry-shape.ts'

type Position = number[]

const wrap = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180

/** A pixel beside a pole: what a raster reaches over it. */
const overhang = 1

/**
 * The geometry of a Feature within the bounds of WGS84. Polygons that reach over ±180 are cut there and points turned back;
 * what else reaches over it comes back as the area of its box.
 * Without a geometry null, whatever box is given: STAC allows none there.
 */
export function readGeometry(geometry: unknown, faults: Fault[]): unknown {
  if (geometry === null || geometry === undefined) return null
  if (!isObject(geometry)) return geometry
  return withinBounds(withoutEmpty(geometry), faults)
}

/** Some writers leave a member without positions where nothing was left of it. */
function withoutEmpty(geometry: Record<string, unknown>): Record<string, unknown> {
  const { type, coordinates } = geometry
  if (typeof type !== 'string' || !type.startsWith('Multi') || !Array.isArray(coordinates)) return geometry
  return { ...geometry, coordinates: coordinates.filter((part) => !Array.isArray(part) || part.length > 0) }
}

function withinBounds(geometry: Record<string, unknown>, faults: Fault[]): unknown {
  const positions: Position[] = []
  const open = (value: unknown): void => {
    if (!Array.isArray(value)) return
    if (typeof value[0] === 'number') positions.push(value as Position)
    else value.forEach(open)
  }
  open(geometry['coordinates'])
  const far = positions.reduce((most, [x = 0]) => Math.max(most, Math.abs(x)), 0)
  const high = positions.reduce((most, [, y = 0]) => Math.max(most, Math.abs(y)), 0)
  const flat = high > 90 && high <= 90 + overhang ? mapPositions(geometry, ([x, y]) => [x, latitudeOf(y)]) : geometry
  if (far <= 180) return flat
  return split(flat, positions) ?? around(positions, faults)
}

const latitudeOf = (y: number): number => Math.max(-90, Math.min(90, y))

/** The same geometry with other positions; heights stay. */
function mapPositions(
  geometry: Record<string, unknown>,
  turn: (position: readonly [number, number]) => readonly [number, number],
): Record<string, unknown> {
  const mapped = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value
    if (typeof value[0] !== 'number') return value.map(mapped)
    const [x, y, ...rest] = value as [number, number]
    return [...turn([x, y]), ...rest]
  }
  return { ...geometry, coordinates: mapped(geometry['coordinates']) }
}

/** Polygons cut at the antimeridian, points turned back; null for what is neither, or reaches around the world. */
function split(geometry: Record<string, unknown>, positions: readonly Position[]): unknown {
  if (!geometryShape(geometry)) return null
  const { type, coordinates } = geometry
  const xs = positions.map(([x = 0]) => x)
  const [west, east] = [xs.reduce((a, b) => Math.min(a, b)), xs.reduce((a, b) => Math.max(a, b))]
  if (west < -540 || east > 540 || east - west >= 360) return null
  if (type === 'Point' || type === 'MultiPoint') return mapPositions(geometry, ([x, y]) => [wrap(x), y])
  if (type !== 'Polygon' && type !== 'MultiPolygon') return null
  const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as Polygon['coordinates'][]
  const parts = polygons.flatMap((rings) => {
    const cut = splitAtAntimeridian({ type: 'Polygon', coordinates: rings })
    return cut.type === 'Polygon' ? [cut.coordinates] : cut.coordinates
  })
  if (parts.length === 0) return null
  return parts.length === 1 ? { type: 'Polygon', coordinates: parts[0] } : { type: 'MultiPolygon', coordinates: parts }
}

function around(positions: readonly Position[], faults: Fault[]): unknown {
  const xs = positions.map(([x = 0]) => x)
  const ys = positions.map(([, y = 0]) => y)
  const [west, east] = [xs.reduce((a, b) => Math.min(a, b)), xs.reduce((a, b) => Math.max(a, b))]
  const [south, north] = [ys.reduce((a, b) => Math.min(a, b)), ys.reduce((a, b) => Math.max(a, b))]
  if (
    ![west, south, east, north].every((number) => Number.isFinite(number)) ||
    Math.abs(west) > 540 ||
    Math.abs(east) > 540
  ) {
    faults.push({ path: 'geometry.coordinates', message: 'has a longitude far outside ±180 degrees' })
    return null
  }
  const [low, high] = [Math.max(-90, south), Math.min(90, north)]
  if (east - west >= 360) return areaOf([-180, low, 180, high])
  return areaOf([wrap(west), low, wrap(east), high])
}
