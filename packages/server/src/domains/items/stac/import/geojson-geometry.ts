import { findCoordinateLayout } from '@swath/geo/geometry-types.ts'
import { isObject } from './document.ts'

/** Minimum number of positions in the innermost list. */
const min_positions = { position: 0, line: 2, ring: 4 } as const

function isPositionArray(value: unknown, depth: number, min_count: number): boolean {
  if (!Array.isArray(value)) return false
  if (depth === 0) return value.length >= 2 && value.every((number) => Number.isFinite(number))
  return (
    (depth > 1 || value.length >= min_count) && value.every((inner) => isPositionArray(inner, depth - 1, min_count))
  )
}

/** True for a GeoJSON geometry in any CRS: `proj:geometry` can be in metres, so bounds are not checked. */
export function isGeoJsonGeometry(value: unknown): boolean {
  if (!isObject(value)) return false
  const { type, coordinates } = value
  const layout = findCoordinateLayout(type)
  return layout !== null && isPositionArray(coordinates, layout.depth, min_positions[layout.kind])
}
