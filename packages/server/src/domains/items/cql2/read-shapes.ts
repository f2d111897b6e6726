import type { Geometry } from '@swath/contract/shapes/geojson.ts'
import { ringOfBox } from '@swath/geo/bbox.ts'
import { count, isRecord, malformed, readName, refuseFunction, type Reading } from './reading.ts'
import type { Shape } from './tree.ts'

/** The names of the geometry of an item: that of GeoJSON, and the one that the standard's test data has. */
const geometryNames: ReadonlySet<string> = new Set(['geometry', 'geom'])

const limit_collections = 5

/** How deep the positions of a type lie, and how many make up the innermost list. */
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

/** Whether a property stands for the geometry of the item. */
export const isGeometryName = (name: string): boolean => geometryNames.has(name)

/**
 * The geometry of the item, a GeoJSON geometry or `{"bbox": […]}`. What is not built of numbers is 422; what is, but
 * encloses nothing (open rings, too few positions, south beyond north), is a shape that everything is unknown of.
 */
export function readShape(node: unknown, path: string, reading: Reading): Shape {
  if (!isRecord(node)) throw malformed(path, 'is not a geometry')
  count(reading, 'nodes', path)
  if (Object.hasOwn(node, 'property')) {
    const name = readName(node['property'], `${path}.property`).replace(/^properties\./, '')
    if (isGeometryName(name)) return { is: 'geometry' }
    throw malformed(`${path}.property`, `"${name}" is not a geometry; items have one, named "geometry"`)
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

/** Members of members become members. */
function readCollection(
  node: Readonly<Record<string, unknown>>,
  path: string,
  reading: Reading,
  depth: number,
): Geometry | null {
  const { geometries } = node
  if (!Array.isArray(geometries)) throw malformed(`${path}.geometries`, 'is not a list')
  if (depth >= limit_collections) throw malformed(path, `collections lie deeper than ${limit_collections} levels`)
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

/** Heights are read and left out, since items lie flat. */
function readPosition(value: readonly unknown[], path: string, reading: Reading): Position {
  count(reading, 'positions', path)
  if (value.length < 2 || value.length > 4 || !value.every((number) => Number.isFinite(number))) {
    throw malformed(path, 'is not a position of two or three numbers')
  }
  return [value[0] as number, value[1] as number]
}

type Box = readonly [west: number, south: number, east: number, north: number]

/** Two boxes where west lies beyond east: it crosses the antimeridian. Null where south lies beyond north. */
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

/** Boxes on both sides of the antimeridian as one geometry; a half without width is dropped beside one that has it. */
function joined(halves: readonly Simple[]): Geometry {
  const areas = halves.filter((half) => half.type === 'Polygon')
  if (areas.length > 0) return { type: 'MultiPolygon', coordinates: areas.map((area) => area.coordinates) }
  const lines = halves.filter((half) => half.type === 'LineString')
  if (lines.length > 0) return { type: 'MultiLineString', coordinates: lines.map((line) => line.coordinates) }
  return { type: 'GeometryCollection', geometries: [...halves] }
}

/** A box without area is a line or a point, which a polygon of that shape would not be. */
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
