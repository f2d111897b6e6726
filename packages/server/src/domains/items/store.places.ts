import { sql, type Sql } from '../../platform/database/sql.ts'

/** West, south, east, north; west is never greater than east, as it does not cross the antimeridian. */
export type Box = readonly [west: number, south: number, east: number, north: number]

/** A polygon as GeoJSON text and its bbox. An invalid one matches nothing. */
export interface Area {
  readonly geojson: string
  readonly box: Box
}

export interface Places {
  /** Items that intersect any of them; null matches all, an empty list none. */
  readonly boxes: readonly Box[] | null
  readonly area: Area | null
}

const near_degrees = 30

const isNarrow = ([west, south, east, north]: Box): boolean =>
  east - west <= near_degrees && north - south <= near_degrees

/** True if the search area is so small that the spatial index is the best one, whatever the other conditions. */
export const isNear = ({ boxes, area }: Places): boolean =>
  (boxes ?? []).every(isNarrow) && (area === null || isNarrow(area.box))

const isWorld = ([west, south, east, north]: Box): boolean =>
  west === -180 && south === -90 && east === 180 && north === 90

/** ST_Envelope makes a box without area a line or a point, because a polygon without area is invalid. */
const boxShape = ([west, south, east, north]: Box): Sql =>
  sql`ST_Envelope(ST_SetSRID(ST_MakeLine(ST_MakePoint(${west}::float8, ${south}::float8),
                                         ST_MakePoint(${east}::float8, ${north}::float8)), 4326))`

/** A cached plan does not fold the geometry expression to a constant: a subquery evaluates it once, not per row. */
const once = (shape: Sql, box: Box): Sql => (isNarrow(box) ? sql`(select ${shape})` : shape)

const touches = (shape: Sql): Sql => sql`ST_Intersects(i.geometry, ${shape})`

const inBox = (box: Box): Sql => (isWorld(box) ? sql`i.geometry is not null` : touches(once(boxShape(box), box)))

function inArea({ geojson, box }: Area): Sql {
  const shape = once(sql`ST_SetSRID(ST_Force2D(ST_GeomFromGeoJSON(${geojson}::text)), 4326)`, box)
  return sql`(ST_IsValid(${shape}) and ${touches(shape)})`
}

/** The spatial conditions on the table `i`. */
export const placeConditions = ({ boxes, area }: Places): Sql[] => [
  ...(boxes ? [sql`(${sql.join(boxes.map(inBox), sql` or `)})`] : []),
  ...(area ? [inArea(area)] : []),
]
