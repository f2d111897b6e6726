import type { MultiPolygon, Polygon, Position } from './geojson.ts'

type Flat = readonly [x: number, y: number]

/**
 * Cuts a polygon whose longitudes may run beyond ±180 (up to once around) at the 180° meridian and turns the parts back
 * into the usual range (RFC 7946 section 3.1.9). Meant for outlines without deep bays: a bay that reaches over the
 * meridian leaves its parts joined by a line along it, which adds no area.
 */
export function splitAtAntimeridian(polygon: Polygon): Polygon | MultiPolygon {
  const parts = [-360, 0, 360].flatMap((shift) => {
    const rings = polygon.coordinates.map((ring) => cutRing(ring, shift))
    return (rings[0]?.length ?? 0) >= 4 ? [rings.filter((ring) => ring.length >= 4)] : []
  })
  return parts.length === 1 ? { type: 'Polygon', coordinates: parts[0]! } : { type: 'MultiPolygon', coordinates: parts }
}

// The part of a ring between -180 + shift and 180 + shift, moved back by shift.
function cutRing(ring: readonly Position[], shift: number): Position[] {
  const open = ring.slice(0, -1).map(([x, y]): Flat => [x - shift, y])
  const kept = cutAt(cutAt(open, -180, 1), 180, -1)
  const hasWidth = kept.some(([x]) => x !== kept[0]![0])
  return hasWidth ? [...kept, kept[0]!] : []
}

// Sutherland and Hodgman: keeps what lies on one side of a meridian.
function cutAt(points: readonly Flat[], meridian: number, side: 1 | -1): Flat[] {
  return points.flatMap((point, at) => {
    const next = points[(at + 1) % points.length]!
    const isKept = (point[0] - meridian) * side >= 0
    const isNextKept = (next[0] - meridian) * side >= 0
    const kept: Flat[] = isKept ? [point] : []
    if (isKept !== isNextKept && point[0] !== meridian && next[0] !== meridian) {
      const part = (meridian - point[0]) / (next[0] - point[0])
      kept.push([meridian, point[1] + (next[1] - point[1]) * part])
    }
    return kept
  })
}
