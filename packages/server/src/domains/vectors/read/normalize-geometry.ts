import { clampDegrees } from '@swath/geo/clamp-degrees.ts'
import { type CoordinateArrayKind, findCoordinateLayout, mapCoordinatesAtDepth } from '@swath/geo/geometry-types.ts'
import { computeSignedPlanarArea } from '@swath/geo/signed-area.ts'
import { VectorFailure } from '../vector-failure.ts'
import type { VectorLimits } from '../vector-file.ts'
import type { SourceCrs } from './source-crs.ts'
import { type UnwrappedGeometry, splitGeometryAtAntimeridian } from '@swath/geo/antimeridian.ts'
import { coordinateExtent } from '@swath/geo/coordinate-extent.ts'

export type GeometryCoordinates = number[] | GeometryCoordinates[]

/** A geometry with coordinates, in degrees within ±180 and ±90. */
interface SplitGeometry {
  readonly type: string
  readonly coordinates: GeometryCoordinates
}

/** Coordinates are rounded to a billionth of a degree (a tenth of a millimetre); further digits are noise. */
const coordinate_precision = 1e9

const roundDegrees = (value: number): number => Math.round(value * coordinate_precision) / coordinate_precision

/**
 * Splits a geometry at the antimeridian, where its longitudes continue beyond ±180. Null if a part is wider than 360 degrees.
 *
 * A step of more than 180 degrees between neighbours is no crossing: RFC 7946 takes it as the long way round.
 */
export function splitCrossingGeometry(geometry: SplitGeometry): SplitGeometry | null {
  const [west, , east] = coordinateExtent(geometry.coordinates)
  if (west >= -180 && east <= 180) return geometry
  const split = splitGeometryAtAntimeridian(geometry as unknown as UnwrappedGeometry)
  if (!split) return null
  const { depth } = findCoordinateLayout(split.type)!
  const roundPosition = ([x, y, ...rest]: readonly number[]) => [roundDegrees(x!), roundDegrees(y!), ...rest]
  return {
    type: split.type,
    coordinates: mapCoordinatesAtDepth(split.coordinates, depth, roundPosition) as GeometryCoordinates,
  }
}

/**
 * A geometry in degrees that can be stored: rings closed and oriented as in RFC 7946, split at the antimeridian (its section
 * 3.1.9), at most three numbers per position.
 */
export type NormalizedGeometry =
  | SplitGeometry
  | { readonly type: 'GeometryCollection'; readonly geometries: NormalizedGeometry[] }

export interface NormalizeGeometryOptions {
  readonly system: SourceCrs
  readonly limits: VectorLimits
  /** Called with every line, ring and single position, in degrees. */
  readonly onPart: (positions: readonly (readonly number[])[]) => void
}

const max_collection_depth = 8

/** Longitudes may continue over the antimeridian, or be counted from 0 to 360. */
const max_longitude = 360

/** The error of projections and their inverses at a bound, in degrees. */
const projection_tolerance_degrees = 1e-6

interface NormalizeState extends NormalizeGeometryOptions {
  readonly path: (number | string)[]
  /** Of the geometry that is worked on. */
  kind: CoordinateArrayKind
  depth: number
  count: number
}

/**
 * The normalized geometry; null for none and for an empty one. Throws `invalid` with the place of the first error in words,
 * `too_large` if it has too many positions.
 */
export function normalizeGeometry(geometry: unknown, options: NormalizeGeometryOptions): NormalizedGeometry | null {
  return normalizeMember(geometry, { ...options, path: ['geometry'], kind: 'position', depth: 0, count: 0 }, 0)
}

function normalizeMember(geometry: unknown, state: NormalizeState, depth: number): NormalizedGeometry | null {
  if (geometry === null || geometry === undefined) return null
  if (typeof geometry !== 'object') throw invalidGeometry(state, 'is not a geometry')
  const { type, coordinates, geometries } = geometry as { type?: unknown; coordinates?: unknown; geometries?: unknown }
  if (type === 'GeometryCollection') return normalizeCollection(geometries, state, depth)
  const layout = findCoordinateLayout(type)
  if (!layout) throw invalidGeometry(state, 'has a type that GeoJSON does not have')
  Object.assign(state, { kind: layout.kind, depth: layout.depth })
  const result = withPath(state, 'coordinates', () =>
    normalizeCoordinates(coordinates, layout.depth, layout.kind, state),
  )
  if (result === null) return null
  const split = splitCrossingGeometry({ type: type as string, coordinates: result })
  if (!split) throw invalidGeometry(state, 'is wider than 360 degrees')
  reportParts(split, state.onPart)
  return split
}

/** Calls `onPart` with every line, ring and single position. */
function reportParts({ type, coordinates }: SplitGeometry, onPart: NormalizeGeometryOptions['onPart']): void {
  const { kind, depth } = findCoordinateLayout(type)!
  if (kind === 'position') forEachAtDepth(coordinates, depth, (position) => onPart([position as number[]]))
  else forEachAtDepth(coordinates, depth - 1, (line) => onPart(line as number[][]))
}

function forEachAtDepth(value: GeometryCoordinates, depth: number, visit: (inner: GeometryCoordinates) => void): void {
  if (depth === 0) visit(value)
  else for (const inner of value as GeometryCoordinates[]) forEachAtDepth(inner, depth - 1, visit)
}

/** Nested collections are flattened, as RFC 7946 recommends. */
function normalizeCollection(geometries: unknown, state: NormalizeState, depth: number): NormalizedGeometry | null {
  if (!Array.isArray(geometries)) throw invalidGeometry(state, 'is a collection without a list of geometries')
  if (depth >= max_collection_depth) throw invalidGeometry(state, `is nested deeper than ${max_collection_depth}`)
  const result = geometries.flatMap((member, at) => {
    const normalized = withPath(state, 'geometries', () =>
      withPath(state, at, () => normalizeMember(member, state, depth + 1)),
    )
    return normalized === null ? [] : 'geometries' in normalized ? normalized.geometries : [normalized]
  })
  return result.length === 0 ? null : { type: 'GeometryCollection', geometries: result }
}

/** Empty parts are removed; null if nothing is left. */
function normalizeCoordinates(
  value: unknown,
  depth: number,
  kind: CoordinateArrayKind,
  state: NormalizeState,
): GeometryCoordinates | null {
  if (!Array.isArray(value)) throw invalidGeometry(state, 'has no list of positions')
  if (value.length === 0) return null
  if (depth === 0) return normalizePosition(value, state)
  const result: GeometryCoordinates[] = []
  for (let at = 0; at < value.length; at++) {
    state.path.push(at)
    const part = normalizeCoordinates(value[at], depth - 1, kind, state)
    state.path.pop()
    if (part !== null) result.push(part)
    // Without an outer ring a polygon has no holes either.
    else if (kind === 'ring' && depth === 2 && at === 0) return null
  }
  if (result.length === 0) return null
  if (kind === 'line' && depth === 1 && result.length < 2)
    throw invalidGeometry(state, 'has fewer than the two positions of a line')
  if (kind === 'ring' && depth === 1) closeRing(result as number[][], state)
  if (kind === 'ring' && depth === 2) result.forEach((ring, at) => orientRing(ring as number[][], at === 0))
  return result
}

function normalizePosition(value: readonly unknown[], state: NormalizeState): number[] {
  const { system, limits } = state
  if (++state.count > limits.feature_positions) {
    throw new VectorFailure(
      'too_large',
      `A feature has more than ${limits.feature_positions} positions. Simplify or split it.`,
    )
  }
  const [x, y, z] = value
  if (typeof x !== 'number' || typeof y !== 'number' || !Number.isFinite(x) || !Number.isFinite(y)) {
    throw invalidGeometry(state, 'has coordinates that are not numbers')
  }
  const tolerance_degrees = system.toDegrees ? projection_tolerance_degrees : undefined
  const [x_degrees, y_degrees] = system.toDegrees ? system.toDegrees(x, y) : [x, y]
  const longitude = clampDegrees(x_degrees, 180, tolerance_degrees)
  const latitude = clampDegrees(y_degrees, 90, tolerance_degrees)
  const bound = system.toDegrees ? 180 : max_longitude
  if (!(Math.abs(longitude) <= bound && Math.abs(latitude) <= 90)) {
    const reason = system.toDegrees
      ? `is outside the area in which ${system.name} is defined`
      : 'is not a longitude and latitude within ±180 and ±90 degrees. Reproject the data to WGS 84 (EPSG:4326)'
    throw invalidGeometry(state, reason)
  }
  const result = [roundDegrees(longitude), roundDegrees(latitude)]
  if (typeof z === 'number' && Number.isFinite(z)) result.push(z)
  return result
}

/** Closes a ring that does not end where it began. */
function closeRing(ring: number[][], state: NormalizeState): void {
  const [start, end] = [ring[0]!, ring.at(-1)!]
  if (start[0] !== end[0] || start[1] !== end[1]) ring.push([...start])
  if (ring.length < 4) throw invalidGeometry(state, 'has fewer than the three different positions of a ring')
}

/** Outer rings run counterclockwise, holes clockwise (RFC 7946 section 3.1.6). */
function orientRing(ring: number[][], isOuter: boolean): void {
  const area = computeSignedPlanarArea(ring as [number, number][])
  if (area < 0 === isOuter && area !== 0) ring.reverse()
}

function withPath<T>(state: NormalizeState, step: string | number, work: () => T): T {
  state.path.push(step)
  const result = work()
  state.path.pop()
  return result
}

const invalidGeometry = (state: NormalizeState, message: string): VectorFailure =>
  new VectorFailure('invalid', `${describePlace(state)} ${message}.`)

/** What the indexes of a geometry's coordinates count, from the outermost. */
const partNames: Readonly<Record<CoordinateArrayKind, readonly string[]>> = {
  position: ['point'],
  line: ['line', 'position'],
  ring: ['polygon', 'ring', 'position'],
}

/** The part of the geometry that is worked on, in words: "Position 3 of ring 1". */
function describePlace({ path, kind, depth }: NormalizeState): string {
  const start = path.lastIndexOf('coordinates')
  const indexes = start < 0 ? [] : path.slice(start + 1)
  // A single line or polygon has one level less than several.
  const names = partNames[kind].slice(-depth)
  const parts = indexes.map((index, at) => `${names[at] ?? 'position'} ${Number(index) + 1}`).toReversed()
  const place = parts.length > 0 ? parts.join(' of ') : 'the geometry'
  return `${place.charAt(0).toUpperCase()}${place.slice(1)}`
}
