import { clampDegrees } from '@swath/geo/clamp-degrees.ts'
import { layoutOf, type PositionsKind } from '@swath/geo/geometry-types.ts'
import { signedArea } from '@swath/geo/signed-area.ts'
import { VectorFailure } from '../vector-failure.ts'
import type { VectorLimits } from '../vector-file.ts'
import type { ReferenceSystem } from './reference-system.ts'

export type Coordinates = number[] | Coordinates[]

/**
 * A geometry in degrees that can be stored: rings closed and oriented as in RFC 7946, at most three numbers per position.
 */
export type NormalGeometry =
  | { readonly type: string; readonly coordinates: Coordinates }
  | { readonly type: 'GeometryCollection'; readonly geometries: NormalGeometry[] }

export interface GeometryTask {
  readonly system: ReferenceSystem
  readonly limits: VectorLimits
  /** Called with every line, ring and single position, in degrees. */
  readonly onPart: (positions: readonly (readonly number[])[]) => void
}

const limit_collection_depth = 8

/** Coordinates are rounded to a billionth of a degree (a tenth of a millimetre); further digits are noise. */
const digits = 1e9

/** The error of projections and their inverses at a bound, in degrees. */
const projected_noise = 1e-6

interface Reading extends GeometryTask {
  readonly path: (number | string)[]
  count: number
}

/**
 * The normalized geometry; null for none and for an empty one. Throws `invalid` with the path of the first error,
 * `too_large` if it has too many positions.
 */
export function normalGeometry(geometry: unknown, task: GeometryTask): NormalGeometry | null {
  return normal(geometry, { ...task, path: ['geometry'], count: 0 }, 0)
}

function normal(geometry: unknown, reading: Reading, depth: number): NormalGeometry | null {
  if (geometry === null || geometry === undefined) return null
  if (typeof geometry !== 'object') throw fault(reading, 'is not a GeoJSON geometry')
  const { type, coordinates, geometries } = geometry as { type?: unknown; coordinates?: unknown; geometries?: unknown }
  if (type === 'GeometryCollection') return collection(geometries, reading, depth)
  const layout = layoutOf(type)
  if (!layout) throw fault(reading, 'is not a type of GeoJSON geometry', 'type')
  const kept = within(reading, 'coordinates', () => list(coordinates, layout.depth, layout.kind, reading))
  return kept === null ? null : { type: type as string, coordinates: kept }
}

/** Nested collections are flattened, as RFC 7946 recommends. */
function collection(geometries: unknown, reading: Reading, depth: number): NormalGeometry | null {
  if (!Array.isArray(geometries)) throw fault(reading, 'is not a list', 'geometries')
  if (depth >= limit_collection_depth) throw fault(reading, `is nested deeper than ${limit_collection_depth}`)
  const kept = geometries.flatMap((member, at) => {
    const one = within(reading, 'geometries', () => within(reading, at, () => normal(member, reading, depth + 1)))
    return one === null ? [] : 'geometries' in one ? one.geometries : [one]
  })
  return kept.length === 0 ? null : { type: 'GeometryCollection', geometries: kept }
}

/** Empty parts are removed; null if nothing is left. */
function list(value: unknown, depth: number, kind: PositionsKind, reading: Reading): Coordinates | null {
  if (!Array.isArray(value)) throw fault(reading, 'is not a list')
  if (value.length === 0) return null
  if (depth === 0) {
    const only = position(value, reading)
    if (kind === 'position') reading.onPart([only])
    return only
  }
  const kept: Coordinates[] = []
  for (let at = 0; at < value.length; at++) {
    reading.path.push(at)
    const part = list(value[at], depth - 1, kind, reading)
    reading.path.pop()
    if (part !== null) kept.push(part)
    // Without an outer ring a polygon has no holes either.
    else if (kind === 'ring' && depth === 2 && at === 0) return null
  }
  if (kept.length === 0) return null
  if (kind === 'line' && depth === 1 && kept.length < 2) throw fault(reading, 'a line has at least two positions')
  if (kind === 'ring' && depth === 1) closeRing(kept as number[][], reading)
  if (kind !== 'position' && depth === 1) reading.onPart(kept as number[][])
  if (kind === 'ring' && depth === 2) kept.forEach((ring, at) => wind(ring as number[][], at === 0))
  return kept
}

function position(value: readonly unknown[], reading: Reading): number[] {
  const { system, limits } = reading
  if (++reading.count > limits.feature_positions) {
    throw new VectorFailure(
      'too_large',
      `A feature has more than ${limits.feature_positions} positions. Simplify or split it.`,
    )
  }
  const [x, y, z] = value
  if (typeof x !== 'number' || typeof y !== 'number' || !Number.isFinite(x) || !Number.isFinite(y)) {
    throw fault(reading, 'is not a position of finite numbers')
  }
  const noise = system.toDegrees ? projected_noise : undefined
  const [given_x, given_y] = system.toDegrees ? system.toDegrees(x, y) : [x, y]
  const longitude = clampDegrees(given_x, 180, noise)
  const latitude = clampDegrees(given_y, 90, noise)
  if (!(Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90)) {
    const advice = system.toDegrees
      ? `is outside the domain of ${system.name}`
      : 'is not longitude and latitude within ±180 and ±90 degrees. Reproject the data to WGS 84 (EPSG:4326)'
    throw fault(reading, advice)
  }
  const kept = [round(longitude), round(latitude)]
  if (typeof z === 'number' && Number.isFinite(z)) kept.push(z)
  return kept
}

/** Closes a ring that does not end where it began. */
function closeRing(ring: number[][], reading: Reading): void {
  const [start, end] = [ring[0]!, ring.at(-1)!]
  if (start[0] !== end[0] || start[1] !== end[1]) ring.push([...start])
  if (ring.length < 4) throw fault(reading, 'a ring has at least three different positions')
}

/** Outer rings run counterclockwise, holes clockwise (RFC 7946 section 3.1.6). */
function wind(ring: number[][], isOuter: boolean): void {
  const area = signedArea(ring as [number, number][])
  if (area < 0 === isOuter && area !== 0) ring.reverse()
}

const round = (value: number): number => Math.round(value * digits) / digits

function within<T>(reading: Reading, step: string | number, work: () => T): T {
  reading.path.push(step)
  const result = work()
  reading.path.pop()
  return result
}

const fault = (reading: Reading, message: string, ...rest: string[]): VectorFailure =>
  new VectorFailure('invalid', `${[...reading.path, ...rest].join('.')} ${message}.`)
