import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import { boundsToRing } from '@swath/geo/bbox.ts'
import { spendGeometryRepairBudget } from '@swath/geo/repair-cost.ts'
import { Problem } from '../../../../engine/problem.ts'
import { listLines, listPolygons } from '../../geometry.ts'
import {
  countCql2Element,
  isJsonRecord,
  createInvalidCql2Problem,
  parsePropertyName,
  rejectCustomFunction,
  type Cql2ParseState,
} from './limits.ts'
import type { GeometryOperand } from './ast.ts'

/** Names of the item geometry: that of GeoJSON, and that of the CQL2 conformance test data. */
const geometryNames: ReadonlySet<string> = new Set(['geometry', 'geom'])

const max_collection_depth = 5

/** Nesting depth of positions per type, and the minimum length of the innermost list. */
const layouts = {
  Point: { depth: 0, min_positions: 1, ring: false },
  MultiPoint: { depth: 1, min_positions: 1, ring: false },
  LineString: { depth: 1, min_positions: 2, ring: false },
  MultiLineString: { depth: 2, min_positions: 2, ring: false },
  Polygon: { depth: 2, min_positions: 4, ring: true },
  MultiPolygon: { depth: 3, min_positions: 4, ring: true },
} as const

type SimpleGeometry = Exclude<Geometry, { type: 'GeometryCollection' }>
type Layout = (typeof layouts)[keyof typeof layouts]

/** True if the property name refers to the item geometry. */
export const isGeometryProperty = (name: string): boolean => geometryNames.has(name)

/**
 * The item geometry, a GeoJSON geometry or `{"bbox": […]}`. Non-numeric coordinates are 422; invalid geometries (open
 * rings, too few positions, south beyond north) evaluate to unknown.
 */
export function parseGeometryOperand(node: unknown, path: string, state: Cql2ParseState): GeometryOperand {
  if (!isJsonRecord(node)) throw createInvalidCql2Problem(path, 'is not a geometry')
  countCql2Element(state, 'nodes', path)
  if (Object.hasOwn(node, 'property')) {
    const name = parsePropertyName(node['property'], `${path}.property`).replace(/^properties\./, '')
    if (isGeometryProperty(name)) return { is: 'geometry' }
    throw createInvalidCql2Problem(
      `${path}.property`,
      `"${name}" is not a geometry property; items have one, named "geometry"`,
    )
  }
  rejectCustomFunction(node, path)
  if (Object.hasOwn(node, 'bbox')) return { is: 'shape', shape: bboxGeometry(node['bbox'], `${path}.bbox`) }
  const shape = parseGeometry(node, path, state, 0)
  return { is: 'shape', shape: shape && withAffordableEdges(shape, path, state) }
}

/**
 * Relations cut lines and collections where their edges cross. Null for polygons that cross or overlap themselves too often to be
 * looked at further: like all invalid ones they evaluate to unknown. Throws `budget-exceeded` for others.
 */
function withAffordableEdges(shape: Geometry, path: string, { crossings }: Cql2ParseState): Geometry | null {
  if (shape.type === 'Polygon' || shape.type === 'MultiPolygon')
    return spendGeometryRepairBudget(listPolygons(shape), crossings) ? shape : null
  if (spendGeometryRepairBudget([[...listLines(shape), ...listPolygons(shape).flat()]], crossings)) return shape
  throw new Problem('budget-exceeded', 'The lines of a geometry of the filter cross each other too often.', {
    errors: [{ path, message: 'has too many crossing lines' }],
  })
}

function parseGeometry(node: unknown, path: string, state: Cql2ParseState, depth: number): Geometry | null {
  if (!isJsonRecord(node)) throw createInvalidCql2Problem(path, 'is not a geometry')
  const { type } = node
  if (type === 'GeometryCollection') return parseGeometryCollection(node, path, state, depth)
  if (typeof type !== 'string' || !Object.hasOwn(layouts, type)) {
    throw createInvalidCql2Problem(`${path}.type`, 'is not a type of GeoJSON geometry')
  }
  const layout = layouts[type as keyof typeof layouts]
  const validity = { is: true }
  const coordinates = parseCoordinates({
    value: node['coordinates'],
    path: `${path}.coordinates`,
    layout,
    depth: layout.depth,
    state,
    validity,
  })
  return validity.is ? ({ type, coordinates } as SimpleGeometry) : null
}

/** Flattens nested collections. */
function parseGeometryCollection(
  node: Readonly<Record<string, unknown>>,
  path: string,
  state: Cql2ParseState,
  depth: number,
): Geometry | null {
  const { geometries } = node
  if (!Array.isArray(geometries)) throw createInvalidCql2Problem(`${path}.geometries`, 'is not a list')
  if (depth >= max_collection_depth)
    throw createInvalidCql2Problem(path, `collections are nested deeper than ${max_collection_depth} levels`)
  const members = geometries.map((member, index) => {
    countCql2Element(state, 'nodes', path)
    return parseGeometry(member, `${path}.geometries.${index}`, state, depth + 1)
  })
  const flattened = members.flatMap((member) => (member?.type === 'GeometryCollection' ? member.geometries : [member]))
  const validity = flattened.filter((member) => member !== null) as SimpleGeometry[]
  return validity.length === flattened.length && validity.length > 0
    ? { type: 'GeometryCollection', geometries: validity }
    : null
}

function parseCoordinates({
  value,
  path,
  layout,
  depth,
  state,
  validity,
}: {
  readonly value: unknown
  readonly path: string
  readonly layout: Layout
  readonly depth: number
  readonly state: Cql2ParseState
  readonly validity: { is: boolean }
}): unknown {
  if (!Array.isArray(value)) throw createInvalidCql2Problem(path, 'is not a list')
  if (depth === 0) return parsePosition(value, path, state)
  const members = value.map((member, index) =>
    parseCoordinates({ value: member, path: `${path}.${index}`, layout, depth: depth - 1, state, validity }),
  )
  if (members.length === 0) validity.is = false
  if (depth === 1 && !isValidLine(members as Position[], layout)) validity.is = false
  return members
}

type Position = readonly [number, number]

function isValidLine(positions: readonly Position[], { min_positions, ring }: Layout): boolean {
  const [first, last] = [positions[0], positions.at(-1)]
  if (positions.length < min_positions || !first || !last) return false
  return !ring || (first[0] === last[0] && first[1] === last[1])
}

/** Elevations are validated and dropped, because item geometries are two-dimensional. */
function parsePosition(value: readonly unknown[], path: string, state: Cql2ParseState): Position {
  countCql2Element(state, 'positions', path)
  if (value.length < 2 || value.length > 4 || !value.every((number) => Number.isFinite(number))) {
    throw createInvalidCql2Problem(path, 'is not a position of two or three numbers')
  }
  return [value[0] as number, value[1] as number]
}

type Box = readonly [west: number, south: number, east: number, north: number]

/** Two boxes if west is greater than east: it crosses the antimeridian. Null if south is greater than north. */
function bboxGeometry(value: unknown, path: string): Geometry | null {
  if (!Array.isArray(value) || ![4, 6].includes(value.length) || !value.every((number) => Number.isFinite(number))) {
    throw createInvalidCql2Problem(path, 'is not a list of four or six numbers')
  }
  const numbers = value as number[]
  const [west, south, east, north] = (numbers.length === 4
    ? numbers
    : [numbers[0], numbers[1], numbers[3], numbers[4]]) as unknown as Box
  if (south > north) return null
  if (west <= east) return boxGeometry([west, south, east, north])
  return joinHalves([boxGeometry([west, south, 180, north]), boxGeometry([-180, south, east, north])])
}

/** Boxes on both sides of the antimeridian as one geometry; a half without width is dropped if the other has width. */
function joinHalves(halves: readonly SimpleGeometry[]): Geometry {
  const areas = halves.filter((half) => half.type === 'Polygon')
  if (areas.length > 0) return { type: 'MultiPolygon', coordinates: areas.map((area) => area.coordinates) }
  const lines = halves.filter((half) => half.type === 'LineString')
  if (lines.length > 0) return { type: 'MultiLineString', coordinates: lines.map((line) => line.coordinates) }
  return { type: 'GeometryCollection', geometries: [...halves] }
}

/** A box without area becomes a line or a point, because a polygon without area is invalid. */
function boxGeometry([west, south, east, north]: Box): SimpleGeometry {
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
  return { type: 'Polygon', coordinates: [boundsToRing([west, south, east, north])] }
}
