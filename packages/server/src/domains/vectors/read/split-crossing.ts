import { splitGeometryAtAntimeridian, type UnwrappedGeometry } from '@swath/geo/antimeridian.ts'
import { coordinateExtent } from '@swath/geo/bbox.ts'
import { geometryLayout, mapCoordinatesAtDepth } from '@swath/geo/geometry-types.ts'

export type GeometryCoordinates = number[] | GeometryCoordinates[]

/** A geometry with coordinates, in degrees within ±180 and ±90. */
export interface SplitGeometry {
  readonly type: string
  readonly coordinates: GeometryCoordinates
}

/** Coordinates are rounded to a billionth of a degree (a tenth of a millimetre); further digits are noise. */
const coordinate_precision = 1e9

export const roundDegrees = (value: number): number => Math.round(value * coordinate_precision) / coordinate_precision

/**
 * Splits a geometry at the antimeridian, where its longitudes continue beyond ±180. Null if a part is wider than 360 degrees.
 *
 * @param isProjected true for positions of a projected system, whose longitudes never exceed ±180: there a step of more than
 * 180 degrees between neighbours crosses the antimeridian. In geographic data such a step is ambiguous, and RFC 7946 takes
 * it as the long way round.
 */
export function splitCrossing(geometry: SplitGeometry, isProjected: boolean): SplitGeometry | null {
  const unwrapped = isProjected ? unwrapLines(geometry) : geometry
  const [west, , east] = coordinateExtent(unwrapped.coordinates)
  if (west >= -180 && east <= 180) return geometry
  const split = splitGeometryAtAntimeridian(unwrapped as unknown as UnwrappedGeometry)
  if (!split) return null
  const { depth } = geometryLayout(split.type)!
  const roundPosition = ([x, y, ...rest]: readonly number[]) => [roundDegrees(x!), roundDegrees(y!), ...rest]
  return {
    type: split.type,
    coordinates: mapCoordinatesAtDepth(split.coordinates, depth, roundPosition) as GeometryCoordinates,
  }
}

type Line = readonly (readonly number[])[]

/** Shifts lines and rings so that no step is longer than 180 degrees, and holes into their outer ring. */
function unwrapLines({ type, coordinates }: SplitGeometry): SplitGeometry {
  const { depth, kind } = geometryLayout(type)!
  const unwrap = { position: null, line: unwrapLine, ring: unwrapPolygon }[kind]
  if (!unwrap) return { type, coordinates }
  const levels = kind === 'line' ? depth - 1 : depth - 2
  return { type, coordinates: mapCoordinatesAtDepth(coordinates, levels, unwrap) as GeometryCoordinates }
}

/** A ring around a pole does not close after a revolution and cannot be split at a meridian; it is returned unchanged. */
function unwrapLine(line: Line): Line {
  let shift = 0
  const shifted = line.map(([x, ...rest], at) => {
    const step = at === 0 ? 0 : x! - line[at - 1]![0]!
    if (step > 180) shift -= 360
    if (step < -180) shift += 360
    return [x! + shift, ...rest]
  })
  const isRing = line[0]![0] === line.at(-1)![0] && line[0]![1] === line.at(-1)![1]
  return isRing && shift !== 0 ? line : shifted
}

function unwrapPolygon(rings: readonly Line[]): readonly Line[] {
  const [outer, ...holes] = rings.map(unwrapLine)
  const [west, , east] = coordinateExtent(outer)
  return [outer!, ...holes.map((hole) => shiftInto(hole, west, east))]
}

function shiftInto(hole: Line, west: number, east: number): Line {
  const [holeWest, , holeEast] = coordinateExtent(hole)
  const shift = holeEast < west ? 360 : holeWest > east ? -360 : 0
  return shift === 0 ? hole : hole.map(([x, ...rest]) => [x! + shift, ...rest])
}
