import { geometryBounds } from './bbox.ts'
import { listPolygonRings, type AreaGeometry } from './geojson.ts'
import type { QuadCorners } from './quad-mapping.ts'

/**
 * The corners of an image on the earth: top left, top right, bottom right, bottom left. A footprint of four corners is the frame
 * of the image; of any other one it is the box around it.
 */
export function findFootprintCorners(footprint: AreaGeometry): QuadCorners {
  const [rings = []] = listPolygonRings(footprint)
  const ring = rings[0] ?? []
  const [west, south, east, north] = geometryBounds(footprint)
  const box: QuadCorners = [
    [west, north],
    [east, north],
    [east, south],
    [west, south],
  ]
  if (listPolygonRings(footprint).length > 1 || ring.length !== 5) return box
  const corners = ring.slice(0, 4)
  // Each corner of the box has its nearest corner of the frame.
  const nearest = box.map(([x, y]) =>
    corners.reduce((best, corner) => (distance(corner, x, y) < distance(best, x, y) ? corner : best)),
  )
  if (new Set(nearest).size < 4) return box
  return nearest.map(([lon, lat]) => [lon, lat]) as unknown as QuadCorners
}

const distance = ([lon, lat]: readonly number[], x: number, y: number): number => Math.hypot(lon! - x, lat! - y)
