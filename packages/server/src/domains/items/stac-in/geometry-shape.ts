import { layoutOf } from '@swath/geo/geometry-types.ts'
import { isObject } from './document.ts'

/** Minimum number of positions in the innermost list. */
const fewest = { position: 0, line: 2, ring: 4 } as const

function isNested(value: unknown, depth: number, least: number): boolean {
  if (!Array.isArray(value)) return false
  if (depth === 0) return value.length >= 2 && value.every((number) => Number.isFinite(number))
  return (depth > 1 || value.length >= least) && value.every((inner) => isNested(inner, depth - 1, least))
}

/** True for a GeoJSON geometry in any CRS: `proj:geometry` can be in metres, so bounds are not checked. */
export function geometryShape(value: unknown): boolean {
  if (!isObject(value)) return false
  const { type, coordinates } = value
  const layout = layoutOf(type)
  return layout !== null && isNested(coordinates, layout.depth, fewest[layout.kind])
}
