import { isObject } from './document.ts'

const depths: Readonly<Record<string, number>> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
}

/** The fewest positions of a list at the innermost level. */
const fewest: Readonly<Record<string, number>> = { LineString: 2, MultiLineString: 2, Polygon: 4, MultiPolygon: 4 }

function isNested(value: unknown, depth: number, least: number): boolean {
  if (!Array.isArray(value)) return false
  if (depth === 0) return value.length >= 2 && value.every((number) => Number.isFinite(number))
  return (depth > 1 || value.length >= least) && value.every((inner) => isNested(inner, depth - 1, least))
}

/** True for a GeoJSON geometry of any reference system: `proj:geometry` has metres, so that no bounds are asked. */
export function geometryShape(value: unknown): boolean {
  if (!isObject(value)) return false
  const { type, coordinates } = value
  if (typeof type !== 'string' || !Object.hasOwn(depths, type)) return false
  return isNested(coordinates, depths[type]!, fewest[type] ?? 0)
}
