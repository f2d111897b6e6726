import { applyAffine } from '../../../packages/geo/src/affine.ts'
import { crsToLonLat, type Raster } from '../../../packages/raster/src/index.ts'

type Degrees = [longitude: number, latitude: number]

export interface ZonePolygon {
  readonly type: 'Polygon'
  readonly coordinates: Degrees[][]
}

/** A position in pixels as longitude and latitude. */
export const toDegrees = ({ affine, crs }: Raster, column: number, row: number): Degrees =>
  [...crsToLonLat(crs, ...applyAffine(affine, column, row))] as Degrees

/** Lines that are straight in degrees bend on the grid: between positions this near, judge and product agree on the way. */
const parts_per_edge = 24

function closeRing(corners: readonly Degrees[]): Degrees[] {
  const ring = corners.flatMap(([x0, y0], at) => {
    const [x1, y1] = corners[(at + 1) % corners.length]!
    return Array.from({ length: parts_per_edge }, (_, part): Degrees => {
      const share = part / parts_per_edge
      return [x0 + (x1 - x0) * share, y0 + (y1 - y0) * share]
    })
  })
  return [...ring, ring[0]!]
}

/** A star of random corners around a place in pixels, turning counterclockwise; some with a hole. */
export function createZone(raster: Raster, random: () => number, max_radius: number): ZonePolygon {
  const [column, row] = [random() * raster.width, random() * raster.height]
  const radius = 2 + random() * (max_radius - 2)
  const corner_count = 4 + Math.floor(random() * 9)
  const corners = Array.from({ length: corner_count }, (_, at) => {
    const angle = (2 * Math.PI * (at + 0.8 * random())) / corner_count
    const distance = radius * (0.5 + 0.5 * random())
    return toDegrees(raster, column + distance * Math.cos(angle), row - distance * Math.sin(angle))
  })
  // An edge between few corners comes so near to the middle that it would cross the hole.
  if (random() > 1 / 3 || radius < 10 || corner_count < 6) return { type: 'Polygon', coordinates: [closeRing(corners)] }
  const hole = [0, 1, 2, 3].map((at) => {
    const angle = (-Math.PI * at) / 2
    return toDegrees(raster, column + (radius / 5) * Math.cos(angle), row - (radius / 5) * Math.sin(angle))
  })
  return { type: 'Polygon', coordinates: [closeRing(corners), closeRing(hole)] }
}
