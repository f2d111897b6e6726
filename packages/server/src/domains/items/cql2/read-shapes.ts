import type { Geometry } from '@swath/contract/shapes/geojson.ts'
import { ringOfBox } from '@swath/geo/bbox.ts'
import { count, isRecord, malformed, readName, refuseFunction, type Reading } from './reading.ts'
import type { Shape } from './tree.ts'

/** Names of the item geometry: that of GeoJSON, and that of the CQL2 conformance test data. */
const geometryNames: ReadonlySet<string> = new Set(['geometry', 'geom'])

const limit_collections = 5

/** Nesting depth of positions per type, and the minimum length of the innermost list. */
const layouts = {
  Point: { depth: 0, least: 1, ring: false },
  MultiPoint: { depth: 1, least: 1, ring: false },
  LineString: { depth: 1, least: 2, ring: false },
  MultiLineString: { depth: 2, least: 2, ring: false },
  Polygon: { depth: 2, least: 4, ring: true },
  MultiPolygon: { depth: 3, least: 4, ring: true },
} as const

type Simple = Exclude<Geometry, { type: 'GeometryCollection' }>
type Layout = (typeof layouts)[keyof typeof layouts]

/** True if the property name refers to the item geometry. */
export const isGeometryName = (name: string): boolean => geometryNames.has(name)

/**
 * The item geometry, a GeoJSON geometry or `{"bbox": […]}`. Non-numeric coordinates are 422; invalid geometries (open
 * rings, too few positions, south beyond north) evaluate to unknown.
 */
export function readShape(node: unknown, path: string, reading: Reading): Shape {
  if (!isRecord(node)) throw malformed(path, 'is not a geometry')
  count(reading, 'nodes', path)
  if (Object.hasOwn(node, 'property')) {
    const name = readName(node['property'], `${path}.property`).replace(/^properties\./, '')
    if (isGeometryName(name)) return { is: 'geometry' }
    throw malformed(`${path}.property`, `"${name}" is not a geometry property; items have one, named "geometry"`)
  }
  refuseFunction(node, path)
  if (Object.hasOwn(node, 'bbox')) return { is: 'shape', shape: boxShape(node['bbox'], `${path}.bbox`) }
  return { is: 'shape', shape: readGeometry(node, path, reading, 0) }
}

function readGeometry(node: unknown, path: string, reading: Reading, depth: number): Geometry | null {
  if (!isRecord(node)) throw malformed(path, 'is not a geometry')
  const { type } = node
  if (type === 'GeometryCollection') return readCollection(node, path, reading, depth)
  if (typeof type !== 'string' || !Object.hasOwn(layouts, type)) {
    throw malformed(`${path}.type`, 'is not a type of GeoJSON geometry')
  }
  const layout = layouts[type as keyof typeof layouts]
  const sound = { is: true }
  const coordinates = readLevel(node['coordinates'], `${path}.coordinates`, layout, layout.depth, reading, sound)
  return sound.is ? ({ type, coordinates } as Simple) : null
}

/** Flattens nested collections. */
function readCollection(
  node: Readonly<Record<string, unknown>>,
  path: string,
  reading: Reading,
  depth: number,
): Geometry | null {
  const { geometries } = node
  if (!Array.isArray(geometries)) throw malformed(`${path}.geometries`, 'is not a list')
  if (depth >= limit_collections)
    throw malformed(path, `collections are nested deeper than ${limit_collections} levels`)
  const members = geometries.map((member, index) => {
    count(reading, 'nodes', path)
    return readGeometry(member, `${path}.geometries.${index}`, reading, depth + 1)
  })
  const flat = members.flatMap((member) => (member?.type === 'GeometryCollection' ? member.geometries : [member]))
  const sound = flat.filter((member) => member !== null) as Simple[]
  return sound.length === flat.length && sound.length > 0 ? { type: 'GeometryCollection', geometries: sound } : null
}

function readLevel(
  value: unknown,
  path: string,
  layout: Layout,
  depth: number,
  reading: Reading,
  sound: { is: boolean },
): unknown {
  if (!Array.isArray(value)) throw malformed(path, 'is not a list')
  if (depth === 0) return readPosition(value, path, reading)
  const members = value.map((member, index) => readLevel(member, `${path}.${index}`, layout, depth - 1, reading, sound))
  if (members.length === 0) sound.is = false
  if (depth === 1 && !isLine(members as Position[], layout)) sound.is = false
  return members
}

type Position = readonly [number, number]

function isLine(positions: readonly Position[], { least, ring }: Layout): boolean {
  const [first, last] = [positions[0], positions.at(-1)]
  if (positions.length < least || !first || !last) return false
  return !ring || (first[0] === last[0] && first[1] === last[1])
}

/** Elevations are validated and dropped, because item geometries are two-dimensional. */
function readPosition(value: readonly unknown[], path: string, reading: Reading): Position {
  count(reading, 'positions', path)
  if (value.length < 2 || value.length > 4 || !value.every((number) => Number.isFinite(number))) {
    throw malformed(path, 'is not a position of two or three numbers')
  }
  return [value[0] as number, value[1] as number]
}

type Box = readonly [west: number, south: number, east: number, north: number]

/** Two boxes if west is greater than east: it crosses the antimeridian. Null if south is greater than north. */
function boxShape(value: unknown, path: string): Geometry | null {
  if (!Array.isArray(value) || ![4, 6].includes(value.length) || !value.every((number) => Number.isFinite(number))) {
    throw malformed(path, 'is not a list of four or six numbers')
  }
  const numbers = value as number[]
  const [west, south, east, north] = (numbers.length === 4
    ? numbers
    : [numbers[0], numbers[1], numbers[3], numbers[4]]) as unknown as Box
  if (south > north) return null
  if (west <= east) return boxGeometry([west, south, east, north])
  return joined([boxGeometry([west, south, 180, north]), boxGeometry([-180, south, east, north])])
}

/** Boxes on both sides of the antimeridian as one geometry; a half without width is dropped if the other has width. */
function joined(halves: readonly Simple[]): Geometry {
  const areas = halves.filter((half) => half.type === 'Polygon')
  if (areas.length > 0) return { type: 'MultiPolygon', coordinates: areas.map((area) => area.coordinates) }
  const lines = halves.filter((half) => half.type === 'LineString')
  if (lines.length > 0) return { type: 'MultiLineString', coordinates: lines.map((line) => line.coordinates) }
  return { type: 'GeometryCollection', geometries: [...halves] }
}

/** A box without area becomes a line or a point, because a polygon without area is invalid. */
function boxGeometry([west, south, east, north]: Box): Simple {
  if (west === east && south === north) return { type: 'Point', coordinates: [west, south] }
  if (west === east || south === north) {
    return {
      type: 'LineString',
      coordinates: [
        [west, south],
        [east, north],
      ],
    }
  }
  return { type: 'Polygon', coordinates: [ringOfBox([west, south, east, north])] }
}
