import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import { listLines, listPolygons } from '../geometry.ts'
import { noParallelWorkersCondition } from './store.spatial.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'
import { createUnsupportedCql2Problem } from './cql2/limits.ts'
import type { GeometryOperand, SpatialOperator } from './cql2/ast.ts'

type SpatialRelation = Exclude<SpatialOperator, 's_disjoint'>

const postgisRelations: Readonly<Record<SpatialRelation, (a: Sql, b: Sql) => Sql>> = {
  s_intersects: (a, b) => sql`ST_Intersects(${a}, ${b})`,
  s_equals: (a, b) => sql`ST_Equals(${a}, ${b})`,
  s_touches: (a, b) => sql`ST_Touches(${a}, ${b})`,
  s_within: (a, b) => sql`ST_Within(${a}, ${b})`,
  s_overlaps: (a, b) => sql`ST_Overlaps(${a}, ${b})`,
  s_crosses: (a, b) => sql`ST_Crosses(${a}, ${b})`,
  s_contains: (a, b) => sql`ST_Contains(${a}, ${b})`,
}

const dimensions: Readonly<Record<string, 0 | 1 | 2>> = {
  Point: 0,
  MultiPoint: 0,
  LineString: 1,
  MultiLineString: 1,
  Polygon: 2,
  MultiPolygon: 2,
}

const isCollection = (geometry: Geometry): geometry is Extract<Geometry, { type: 'GeometryCollection' }> =>
  geometry.type === 'GeometryCollection'

/** A collection of several dimensions, for which OGC Simple Features define most relations not at all. */
const isMixedCollection = (geometry: Geometry): boolean =>
  isCollection(geometry) && new Set(geometry.geometries.map((member) => dimensions[member.type])).size > 1

/** SQL of a literal geometry; null if it is invalid, such as self-intersecting: relations are then unknown. */
function geometryLiteral(geometry: Geometry): Sql {
  const literal = sql`ST_SetSRID(ST_GeomFromGeoJSON(${JSON.stringify(geometry)}::text), 4326)`
  return sql`(case when ST_IsValid(${literal}) then ${literal} end)`
}

/**
 * Positions of the lines of an item up to which relations other than ST_Intersects are computed; beyond they are unknown. The crossings of
 * lines are limited when items are stored, but were not always: random ones of 2,000 positions take PostGIS 0.5 s, of 6,000 positions 7 s;
 * the union of those of 500 positions 0.2 s.
 */
const max_related_positions = { line: 2000, collection: 500 } as const

/**
 * Pairs of positions, of an item and of the other geometry, up to which relations other than ST_Intersects are computed: two zigzags of
 * 1,000 positions each, all of whose edges cross, take PostGIS 2.7 s.
 */
const max_related_pairs = 1_000_000

/** Positions that an item may have for a relation to the other geometry. */
function maxItemPositions(other: GeometryOperand): number {
  if (other.is === 'geometry') return Math.sqrt(max_related_pairs)
  const { shape } = other
  const lines = shape ? [...listLines(shape), ...listPolygons(shape).flat()] : []
  return Math.floor(max_related_pairs / lines.reduce((sum, { length }) => sum + length, 1))
}

const withFewLinePositions = (max_positions: number): Sql =>
  sql`case when ST_NPoints(ST_CollectionExtract(i.geometry, 2)) <= ${max_positions}::integer then i.geometry end`

const unitedItemGeometry = sql`ST_UnaryUnion(${withFewLinePositions(max_related_positions.collection)})`

/**
 * Relations other than ST_Intersects do not accept collections: members of one dimension are united to one geometry, and
 * for items with several dimensions the relation is unknown.
 */
function relatableGeometry(geometry: GeometryOperand, other: GeometryOperand): Sql {
  if (geometry.is === 'geometry') {
    return sql`
      (case when ST_NPoints(i.geometry) > ${maxItemPositions(other)}::integer then null
       when GeometryType(i.geometry) <> 'GEOMETRYCOLLECTION' then ${withFewLinePositions(max_related_positions.line)}
       else (select case when GeometryType(u.shape) <> 'GEOMETRYCOLLECTION' then u.shape end
             from (select ${unitedItemGeometry} as shape offset 0) as u) end)`
  }
  if (!geometry.shape) return sql`null::geometry`
  return isCollection(geometry.shape)
    ? sql`ST_UnaryUnion(${geometryLiteral(geometry.shape)})`
    : geometryLiteral(geometry.shape)
}

const geometryExpression = (geometry: GeometryOperand): Sql => {
  if (geometry.is === 'geometry') return sql`i.geometry`
  return geometry.shape ? geometryLiteral(geometry.shape) : sql`null::geometry`
}

const unitedGeometry = (geometry: GeometryOperand): Sql =>
  geometry.is === 'geometry' ? unitedItemGeometry : sql`ST_UnaryUnion(${geometryExpression(geometry)})`

/** Equal if the parts of each dimension are equal after union. */
function equalCollections(a: Sql, b: Sql): Sql {
  const part = (geometry: Sql, dimension: number): Sql => sql`ST_CollectionExtract(${geometry}, ${dimension}::integer)`
  const both = [1, 2, 3].map(
    (dimension) => sql`
      (ST_IsEmpty(${part(a, dimension)}) and ST_IsEmpty(${part(b, dimension)})
       or ST_Equals(${part(a, dimension)}, ${part(b, dimension)}))`,
  )
  return sql.join(both, sql` and `)
}

/** Contains a mixed collection if it covers every member and contains at least one. */
const containsMembers = (container: Sql, members: readonly Geometry[]): Sql =>
  sql`(${sql.join(
    members.map((member) => sql`ST_Covers(${container}, ${geometryLiteral(member)})`),
    sql` and `,
  )}
       and (${sql.join(
         members.map((member) => sql`ST_Contains(${container}, ${geometryLiteral(member)})`),
         sql` or `,
       )}))`

function relationCondition(operator: SpatialRelation, left: GeometryOperand, right: GeometryOperand): Sql {
  if (operator === 's_intersects')
    return postgisRelations.s_intersects(geometryExpression(left), geometryExpression(right))
  const mixedCollections = [left, right].flatMap((side) =>
    side.is === 'shape' && side.shape && isMixedCollection(side.shape) ? [side.shape] : [],
  )
  if (mixedCollections.length === 0)
    return postgisRelations[operator](relatableGeometry(left, right), relatableGeometry(right, left))
  if (operator === 's_equals') return equalCollections(unitedGeometry(left), unitedGeometry(right))
  const [container, contained] = operator === 's_within' ? [right, left] : [left, right]
  const isContainment = (operator === 's_contains' || operator === 's_within') && mixedCollections.length === 1
  if (
    isContainment &&
    contained.is === 'shape' &&
    contained.shape === mixedCollections[0] &&
    isCollection(mixedCollections[0])
  ) {
    return containsMembers(relatableGeometry(container, contained), mixedCollections[0].geometries)
  }
  throw createUnsupportedCql2Problem(
    'filter',
    `${operator} with a GeometryCollection of several dimensions is not supported: OGC Simple Features define no such relation.`,
  )
}

/**
 * A spatial relation between two geometries. The bbox overlap (`&&`) is a separate condition without functions, so that it
 * uses the GiST index. Throws `unsupported-filter` for undefined relations of mixed collections.
 */
export function spatialRelationCondition(
  operator: SpatialOperator,
  left: GeometryOperand,
  right: GeometryOperand,
): Sql {
  const bboxOverlap = sql`${noParallelWorkersCondition} and ${geometryExpression(left)} && ${geometryExpression(right)}`
  if (operator === 's_disjoint')
    return sql`(not (${bboxOverlap} and ${relationCondition('s_intersects', left, right)}))`
  return sql`(${bboxOverlap} and ${relationCondition(operator, left, right)})`
}
