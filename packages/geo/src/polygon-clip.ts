import { areaOf, bandArea } from './area.ts'
import type { AreaGeometry } from './geojson.ts'
import { chainRings } from './rings.ts'
import { cutIntoTrapezoids } from './slabs.ts'
import type { Trapezoid } from './slabs.ts'

/** Square kilometres of `area` that lie inside `footprint`; both with holes, bays and several parts as they like. */
export function overlapArea(area: AreaGeometry, footprint: AreaGeometry): number {
  return areaOf(area) * coveredShare(area, [footprint])
}

/** Square kilometres of `area` that at least one of the footprints covers. */
export function coveredArea(area: AreaGeometry, footprints: readonly AreaGeometry[]): number {
  return areaOf(area) * coveredShare(area, footprints)
}

/**
 * The part of `area`, 0 to 1, that at least one of the footprints covers. Both sides of the fraction are measured alike
 * (edges straight in degrees, on the sphere of equal area), so a footprint that holds the whole area gives exactly 1. Work
 * grows with the number of edges and of their crossings.
 */
export function coveredShare(area: AreaGeometry, footprints: readonly AreaGeometry[]): number {
  let whole = 0
  let covered = 0
  for (const piece of cutIntoTrapezoids([area], ([isArea]) => isArea === true)) whole += trapezoidArea(piece)
  const pieces = cutIntoTrapezoids([area, ...footprints], ([isArea, ...rest]) => isArea === true && rest.includes(true))
  for (const piece of pieces) covered += trapezoidArea(piece)
  if (whole <= 0) return 0
  const share = covered / whole
  // Slabs of two cuts differ in their rounding.
  return share > 1 - 1e-9 ? 1 : share
}

/** What two geometries have in common, as polygons with holes; null where that has no area. */
export function intersection(a: AreaGeometry, b: AreaGeometry): AreaGeometry | null {
  const pieces = [...cutIntoTrapezoids([a, b], ([inA, inB]) => inA === true && inB === true)]
  const polygons = chainRings(pieces)
  if (polygons.length === 0) return null
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: polygons[0]! }
    : { type: 'MultiPolygon', coordinates: polygons }
}

/**
 * Square kilometres of a trapezoid. Its width changes on the way north, and so does the length of a degree: Simpson's rule
 * is exact enough for half a degree, so higher pieces are cut.
 */
export function trapezoidArea({ south, north, west, east }: Trapezoid): number {
  const steps = Math.max(1, Math.ceil((north - south) * 2))
  const widthAt = (part: number): number => (1 - part) * (east[0] - west[0]) + part * (east[1] - west[1])
  let total = 0
  for (let step = 0; step < steps; step++) {
    const from = step / steps
    const to = (step + 1) / steps
    const bottom = south + (north - south) * from
    const top = south + (north - south) * to
    total += bandArea(bottom, top, widthAt(from), widthAt(to))
  }
  return total
}
