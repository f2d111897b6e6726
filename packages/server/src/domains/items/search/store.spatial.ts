import { sql, type Sql } from '../../../platform/database/sql.ts'

/** West, south, east, north; west is never greater than east, as it does not cross the antimeridian. */
export type SpatialSearchBox = readonly [west: number, south: number, east: number, north: number]

/** A polygon as GeoJSON text and its bbox. An invalid one matches nothing. */
export interface SpatialSearchPolygon {
  readonly geojson: string
  readonly box: SpatialSearchBox
}

export interface SpatialFilter {
  /** Items that intersect any of them; null matches all, an empty list none. */
  readonly boxes: readonly SpatialSearchBox[] | null
  readonly area: SpatialSearchPolygon | null
}

const max_indexed_degrees = 30

const isNarrow = ([west, south, east, north]: SpatialSearchBox): boolean =>
  east - west <= max_indexed_degrees && north - south <= max_indexed_degrees

/** True if the search area is so small that the spatial index is the best one, whatever the other conditions. */
export const isSmallAreaSearch = ({ boxes, area }: SpatialFilter): boolean =>
  (boxes ?? []).every(isNarrow) && (area === null || isNarrow(area.box))

const isGlobal = ([west, south, east, north]: SpatialSearchBox): boolean =>
  west === -180 && south === -90 && east === 180 && north === 90

/** ST_Envelope makes a box without area a line or a point, because a polygon without area is invalid. */
const boxGeometry = ([west, south, east, north]: SpatialSearchBox): Sql =>
  sql`ST_Envelope(ST_SetSRID(ST_MakeLine(ST_MakePoint(${west}::float8, ${south}::float8),
                                         ST_MakePoint(${east}::float8, ${north}::float8)), 4326))`

/** A cached plan does not fold the geometry expression to a constant: a subquery evaluates it once, not per row. */
const evaluateOnce = (geometry: Sql, box: SpatialSearchBox): Sql =>
  isNarrow(box) ? sql`(select ${geometry})` : geometry

const intersects = (geometry: Sql): Sql => sql`ST_Intersects(i.geometry, ${geometry})`

const boxCondition = (box: SpatialSearchBox): Sql =>
  isGlobal(box) ? sql`i.geometry is not null` : intersects(evaluateOnce(boxGeometry(box), box))

function polygonCondition({ geojson, box }: SpatialSearchPolygon): Sql {
  const geometry = evaluateOnce(sql`ST_SetSRID(ST_Force2D(ST_GeomFromGeoJSON(${geojson}::text)), 4326)`, box)
  return sql`(ST_IsValid(${geometry}) and ${intersects(geometry)})`
}

/**
 * True, by a function that parallel workers may not run, so that none is started. PostGIS states a cost of its predicates that is about a
 * hundred times what they take, and for a partition PostgreSQL does not require a least size: it would start a worker for a hundred
 * matches, which takes 10 ms, to save less than one.
 */
export const noParallelWorkersCondition = sql`pg_backend_pid() > 0`

/** The spatial conditions on the table `i`. */
export const spatialConditions = ({ boxes, area }: SpatialFilter): Sql[] => [
  ...(boxes ? [sql`(${sql.join(boxes.map(boxCondition), sql` or `)})`] : []),
  ...(area ? [polygonCondition(area)] : []),
  ...(area || boxes?.some((box) => !isGlobal(box)) ? [noParallelWorkersCondition] : []),
]
