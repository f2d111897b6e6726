import type { Fault } from '../../../engine/problem.ts'
import { areaOf } from '../description.ts'
import { isObject } from './document.ts'

type Position = number[]

const wrap = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180

/** A pixel beside the edge of the world: what a raster reaches over it. */
const overhang = 1

/**
 * The geometry of a Feature within the bounds of WGS84. Longitudes that reach a little over ±180 are cut to it; those far
 * beyond (footprints of geostationary satellites) come back as the area of the box on both sides of the antimeridian.
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
  if (!(far > 180 || (high > 90 && high <= 90 + overhang))) return geometry
  if (far <= 180 + overhang) return cut(geometry)
  return around(positions, faults)
}

/** The same geometry with what lies beyond the edges moved onto them. */
function cut(geometry: Record<string, unknown>): unknown {
  const clamp = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value
    if (typeof value[0] !== 'number') return value.map(clamp)
    const [x, y, ...rest] = value as [number, number]
    return [Math.max(-180, Math.min(180, x)), Math.max(-90, Math.min(90, y)), ...rest]
  }
  return { ...geometry, coordinates: clamp(geometry['coordinates']) }
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
