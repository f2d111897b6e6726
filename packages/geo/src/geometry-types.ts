/** The kind of the innermost array of positions. */
export type CoordinateArrayKind = 'position' | 'line' | 'ring'

/** Nesting depth of the coordinates of a geometry type. */
export interface CoordinateLayout {
  /** Nesting depth of the positions: 0 for a position itself. */
  readonly depth: 0 | 1 | 2 | 3
  readonly kind: CoordinateArrayKind
  /** Topological dimension of the geometry. */
  readonly dimension: 0 | 1 | 2
}

/** The geometry types of RFC 7946 that have coordinates. */
const layouts: Readonly<Record<string, CoordinateLayout>> = {
  Point: { depth: 0, kind: 'position', dimension: 0 },
  MultiPoint: { depth: 1, kind: 'position', dimension: 0 },
  LineString: { depth: 1, kind: 'line', dimension: 1 },
  MultiLineString: { depth: 2, kind: 'line', dimension: 1 },
  Polygon: { depth: 2, kind: 'ring', dimension: 2 },
  MultiPolygon: { depth: 3, kind: 'ring', dimension: 2 },
}

/** The layout of a geometry type; null for a GeometryCollection or an unknown type. */
export const findCoordinateLayout = (type: unknown): CoordinateLayout | null =>
  typeof type === 'string' && Object.hasOwn(layouts, type) ? layouts[type]! : null

/** True for the seven geometry types of RFC 7946. */
export const isGeometryType = (type: unknown): boolean =>
  type === 'GeometryCollection' || findCoordinateLayout(type) !== null

/** Maps the values at a nesting depth of coordinates; 0 is the value itself. */
export function mapCoordinatesAtDepth(
  coordinates: unknown,
  depth: number,
  transform: (inner: never) => unknown,
): unknown {
  if (depth === 0) return transform(coordinates as never)
  return (coordinates as readonly unknown[]).map((inner) => mapCoordinatesAtDepth(inner, depth - 1, transform))
}
