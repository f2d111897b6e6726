import { coordinateExtent } from './coordinate-extent.ts'
import type { MultiPolygon, Polygon, Position } from './geojson.ts'
import { findCoordinateLayout, mapCoordinatesAtDepth } from './geometry-types.ts'

type Coordinates = Position | readonly Coordinates[]

/** A geometry of any type with coordinates; longitudes may exceed ±180. */
export interface UnwrappedGeometry {
  readonly type: string
  readonly coordinates: Coordinates
}

/** Longitude offsets of the parts: one revolution west, the range from -180 to 180, one revolution east. */
const longitudeOffsets = [-360, 0, 360] as const

/**
 * Cuts a polygon whose longitudes may exceed ±180 (by up to one revolution) at the 180° meridian and moves the parts
 * into the range from -180 to 180 (RFC 7946 section 3.1.9). Heights and further numbers of a position are preserved,
 * and interpolated where an edge is cut. Parts of a concave ring that cross the meridian several times stay joined by a
 * line along it, which adds no area.
 */
export function splitPolygonAtAntimeridian(polygon: Polygon): Polygon | MultiPolygon {
  const parts = longitudeOffsets.flatMap((offset) => {
    const rings = polygon.coordinates.map((ring) => clipRingToRevolution(ring, offset))
    return (rings[0]?.length ?? 0) >= 4 ? [rings.filter((ring) => ring.length >= 4)] : []
  })
  return parts.length === 1 ? { type: 'Polygon', coordinates: parts[0]! } : { type: 'MultiPolygon', coordinates: parts }
}

/**
 * The same for a geometry of any type with coordinates: points are wrapped, lines and polygons that cross are cut into
 * several parts. Returns null if a longitude exceeds ±540, or if a part is wider than 360 degrees.
 */
export function splitGeometryAtAntimeridian({ type, coordinates }: UnwrappedGeometry): UnwrappedGeometry | null {
  const layout = findCoordinateLayout(type)
  if (!layout) return null
  const [west, , east] = coordinateExtent(coordinates)
  if (west < -540 || east > 540) return null
  if (layout.kind === 'position') {
    return { type, coordinates: mapCoordinatesAtDepth(coordinates, layout.depth, wrapPosition) as Coordinates }
  }
  const isSingle = layout.depth === (layout.kind === 'line' ? 1 : 2)
  const members = (isSingle ? [coordinates] : coordinates) as readonly Coordinates[]
  if (members.some(isWiderThanEarth)) return null
  const parts = members.flatMap((member): Coordinates[] => {
    if (layout.kind === 'line') return splitLine(member as readonly Position[])
    const cut = splitPolygonAtAntimeridian({ type: 'Polygon', coordinates: member as Polygon['coordinates'] })
    return (cut.type === 'Polygon' ? [cut.coordinates] : cut.coordinates) as Coordinates[]
  })
  if (parts.length === 0) return null
  const single = layout.kind === 'line' ? 'LineString' : 'Polygon'
  return isSingle && parts.length === 1
    ? { type: single, coordinates: parts[0]! }
    : { type: `Multi${single}`, coordinates: parts }
}

function isWiderThanEarth(coordinates: Coordinates): boolean {
  const [west, , east] = coordinateExtent(coordinates)
  return east - west > 360
}

const wrapPosition = ([x, y, ...rest]: Position): Position => [x > 180 ? x - 360 : x < -180 ? x + 360 : x, y, ...rest]

/** The part of a ring between -180 + offset and 180 + offset, moved by -offset. */
function clipRingToRevolution(ring: readonly Position[], offset: number): Position[] {
  const open = ring.slice(0, -1).map((position) => shiftEast(position, -offset))
  const clipped = clipAtMeridian(clipAtMeridian(open, -180, 1), 180, -1)
  const hasWidth = clipped.some(([x]) => x !== clipped[0]![0])
  return hasWidth ? [...clipped, clipped[0]!] : []
}

/** Sutherland-Hodgman clipping: keeps the side of a meridian that `side` names. */
function clipAtMeridian(points: readonly Position[], meridian: number, side: 1 | -1): Position[] {
  return points.flatMap((point, at) => {
    const next = points[(at + 1) % points.length]!
    const isRetained = (point[0] - meridian) * side >= 0
    const isNextRetained = (next[0] - meridian) * side >= 0
    const clipped: Position[] = isRetained ? [point] : []
    if (isRetained !== isNextRetained && point[0] !== meridian && next[0] !== meridian) {
      clipped.push(intersectMeridian(point, next, meridian))
    }
    return clipped
  })
}

/** The parts of a line in each revolution, wrapped, in their order along the line. */
function splitLine(line: readonly Position[]): Position[][] {
  const parts: Position[][] = []
  let part: Position[] = []
  let side = 0
  const close = (): void => {
    if (part.length > 1) parts.push(part)
    part = []
  }
  const push = (position: Position): void => {
    const [x, y] = part.at(-1) ?? []
    const next = shiftEast(position, -side)
    // Without this a line with a position on the meridian would repeat it at the cut.
    if (x !== next[0] || y !== next[1] || part.length === 0) part.push(next)
  }
  line.forEach((position, at) => {
    let from = line[at - 1]
    if (!from) side = initialOffset(position, line[1])
    while (from && isOutsideRevolution(position, side)) {
      const meridian = side + (position[0] > side + 180 ? 180 : -180)
      const cut = intersectMeridian(from, position, meridian)
      push(cut)
      close()
      side += position[0] > meridian ? 360 : -360
      push(cut)
      from = cut
    }
    push(position)
  })
  close()
  return parts
}

const isOutsideRevolution = ([x]: Position, side: number): boolean => x > side + 180 || x < side - 180

/** The offset in which a line begins; for a start on the meridian, that of its next position. */
function initialOffset([x]: Position, next: Position | undefined): number {
  const inside = Math.abs(x) % 360 === 180 && next ? (x + next[0]) / 2 : x
  return inside > 180 ? 360 : inside < -180 ? -360 : 0
}

/** The intersection of an edge with a meridian; latitude, height and further numbers are interpolated. */
function intersectMeridian(from: Position, to: Position, meridian: number): Position {
  const part = (meridian - from[0]) / (to[0] - from[0])
  const rest = from.slice(1).flatMap((value, at) => {
    const end = to[at + 1]
    return end === undefined ? [] : [value + (end - value) * part]
  })
  return [meridian, ...rest] as unknown as Position
}

const shiftEast = ([x, ...rest]: Position, by: number): Position => [x + by, ...rest]
