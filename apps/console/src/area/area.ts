import { splitPolygonAtAntimeridian } from '@swath/geo/antimeridian.ts'
import { solveDirectGeodesic, solveInverseGeodesic } from '@swath/geo/geodesic.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'

export type AreaShape = 'polygon' | 'box' | 'circle'
export type Corner = readonly [lon: number, lat: number]

const circle_corners = 64
/** A metre. */
const decimals = 5

const round = (value: number): number => Number(value.toFixed(decimals))

/** The area inside a ring, whose longitudes go on beyond 180° where it crosses that meridian: there it is cut. */
function closeRing(ring: readonly Corner[]): AreaGeometry {
  const polygon = {
    type: 'Polygon' as const,
    coordinates: [[...ring, ring[0]!].map(([lon, lat]): [number, number] => [round(lon), round(lat)])],
  }
  return ring.some(([lon]) => Math.abs(lon) > 180) ? splitPolygonAtAntimeridian(polygon) : polygon
}

/** A box, across the 180° meridian if it begins east of where it ends; no box is wider than the Earth. */
export function boxArea(west: number, south: number, east: number, north: number): AreaGeometry {
  const width = east < west ? east - west + 360 : east - west
  const [left, right] = width < 360 ? [west, west + width] : [-180, 180]
  return closeRing([
    [left, south],
    [right, south],
    [right, north],
    [left, north],
  ])
}

/** The area of the clicked corners; null while there are too few of them. A circle has its centre first. */
export function shapeArea(shape: AreaShape, corners: readonly Corner[]): AreaGeometry | null {
  if (shape === 'polygon') return corners.length < 3 ? null : closeRing(corners)
  const [first, second] = corners
  if (!first || !second || (first[0] === second[0] && first[1] === second[1])) return null
  if (shape === 'circle') return circleArea(first, second)
  const [[x1, y1], [x2, y2]] = [first, second]
  return boxArea(Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2))
}

function circleArea([lon, lat]: Corner, [edgeLon, edgeLat]: Corner): AreaGeometry | null {
  const radius = solveInverseGeodesic(lon, lat, edgeLon, edgeLat)
  if (!radius) return null
  return closeRing(
    Array.from({ length: circle_corners }, (_, corner) => {
      // Counter-clockwise, as exterior rings are (RFC 7946).
      const azimuth = -(corner * 2 * Math.PI) / circle_corners
      return solveDirectGeodesic(lon, lat, { metres: radius.metres, azimuth })
    }),
  )
}
