import type { Geometry } from '@swath/contract/shapes/geojson.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { unsupported } from './cql2/reading.ts'
import type { Shape, SpatialOperator } from './cql2/tree.ts'

type Relation = Exclude<SpatialOperator, 's_disjoint'>

const relations: Readonly<Record<Relation, (a: Sql, b: Sql) => Sql>> = {
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

const isCollection = (shape: Geometry): shape is Extract<Geometry, { type: 'GeometryCollection' }> =>
  shape.type === 'GeometryCollection'

/** A collection of several dimensions, for which OGC Simple Features define most relations not at all. */
const isMixed = (shape: Geometry): boolean =>
  isCollection(shape) && new Set(shape.geometries.map((member) => dimensions[member.type])).size > 1

/** SQL of a literal geometry; null if it is invalid, such as self-intersecting: relations are then unknown. */
function literalShape(shape: Geometry): Sql {
  const given = sql`ST_SetSRID(ST_GeomFromGeoJSON(${JSON.stringify(shape)}::text), 4326)`
  return sql`(case when ST_IsValid(${given}) then ${given} end)`
}

/**
 * Relations other than ST_Intersects do not accept collections: members of one dimension are united to one geometry, and
 * for items with several dimensions the relation is unknown.
 */
function relatable(shape: Shape): Sql {
  if (shape.is === 'geometry') {
    return sql`
      (case when GeometryType(i.geometry) <> 'GEOMETRYCOLLECTION' then i.geometry
       else (select case when GeometryType(u.shape) <> 'GEOMETRYCOLLECTION' then u.shape end
             from (select ST_UnaryUnion(i.geometry) as shape offset 0) as u) end)`
  }
  if (!shape.shape) return sql`null::geometry`
  return isCollection(shape.shape) ? sql`ST_UnaryUnion(${literalShape(shape.shape)})` : literalShape(shape.shape)
}

const plain = (shape: Shape): Sql => {
  if (shape.is === 'geometry') return sql`i.geometry`
  return shape.shape ? literalShape(shape.shape) : sql`null::geometry`
}

/** Equal if the parts of each dimension are equal after union. */
function equalCollections(a: Sql, b: Sql): Sql {
  const part = (shape: Sql, dimension: number): Sql => sql`ST_CollectionExtract(${shape}, ${dimension}::integer)`
  const both = [1, 2, 3].map(
    (dimension) => sql`
      (ST_IsEmpty(${part(a, dimension)}) and ST_IsEmpty(${part(b, dimension)})
       or ST_Equals(${part(a, dimension)}, ${part(b, dimension)}))`,
  )
  return sql.join(both, sql` and `)
}

/** Contains a mixed collection if it covers every member and contains at least one. */
const holdsMembers = (holder: Sql, members: readonly Geometry[]): Sql =>
  sql`(${sql.join(
    members.map((member) => sql`ST_Covers(${holder}, ${literalShape(member)})`),
    sql` and `,
  )}
       and (${sql.join(
         members.map((member) => sql`ST_Contains(${holder}, ${literalShape(member)})`),
         sql` or `,
       )}))`

function relation(operator: Relation, left: Shape, right: Shape): Sql {
  if (operator === 's_intersects') return relations.s_intersects(plain(left), plain(right))
  const mixed = [left, right].flatMap((side) =>
    side.is === 'shape' && side.shape && isMixed(side.shape) ? [side.shape] : [],
  )
  if (mixed.length === 0) return relations[operator](relatable(left), relatable(right))
  if (operator === 's_equals')
    return equalCollections(sql`ST_UnaryUnion(${plain(left)})`, sql`ST_UnaryUnion(${plain(right)})`)
  const [holder, held] = operator === 's_within' ? [right, left] : [left, right]
  const isHolding = (operator === 's_contains' || operator === 's_within') && mixed.length === 1
  if (isHolding && held.is === 'shape' && held.shape === mixed[0] && isCollection(mixed[0])) {
    return holdsMembers(relatable(holder), mixed[0].geometries)
  }
  throw unsupported(
    'filter',
    `${operator} with a GeometryCollection of several dimensions is not supported: OGC Simple Features define no such relation.`,
  )
}

/**
 * A spatial relation between two geometries. The bbox overlap (`&&`) is a separate condition without functions, so that it
 * uses the GiST index. Throws `unsupported-filter` for undefined relations of mixed collections.
 */
export function spatialCondition(operator: SpatialOperator, left: Shape, right: Shape): Sql {
  const near = sql`${plain(left)} && ${plain(right)}`
  if (operator === 's_disjoint') return sql`(not (${near} and ${relation('s_intersects', left, right)}))`
  return sql`(${near} and ${relation(operator, left, right)})`
}
