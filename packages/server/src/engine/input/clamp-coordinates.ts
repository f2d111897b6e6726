import { clampDegrees } from '@swath/geo/clamp-degrees.ts'
import { findCoordinateLayout } from '@swath/geo/geometry-types.ts'

/** Clamps the first two numbers of every position in a nested coordinate array, in place. */
function clampPositions(value: unknown, depth = 0): void {
  if (!Array.isArray(value) || depth > 4) return
  if (typeof value[0] !== 'number') {
    for (const inner of value) clampPositions(inner, depth + 1)
    return
  }
  value[0] = clampDegrees(value[0], 180)
  if (typeof value[1] === 'number') value[1] = clampDegrees(value[1], 90)
}

function clampBox(box: unknown[]): void {
  for (const [index, value] of box.entries()) {
    const axis = index % (box.length / 2)
    if (typeof value === 'number' && axis < 2) box[index] = clampDegrees(value, axis === 0 ? 180 : 90)
  }
}

/**
 * Clamps coordinates that exceed ±180 or ±90 degrees by a rounding error, in place, in every GeoJSON geometry and `bbox` of
 * an input. Members with a prefix, such as `proj:geometry`, are skipped: they are in other units.
 */
export function clampCoordinates(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    if (typeof value[0] === 'object') for (const inner of value) clampCoordinates(inner)
    return
  }
  const members = value as Record<string, unknown>
  if (findCoordinateLayout(members['type']) && Array.isArray(members['coordinates'])) {
    clampPositions(members['coordinates'])
    return
  }
  for (const name in members) {
    const inner = members[name]
    if (typeof inner !== 'object' || inner === null || name.includes(':')) continue
    if (name === 'bbox' && Array.isArray(inner)) clampBox(inner)
    else clampCoordinates(inner)
  }
}
