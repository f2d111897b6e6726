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
 * A step of more than 180 degrees between neighbours is no crossing: RFC 7946 takes it as the long way round.
 */
export function splitCrossing(geometry: SplitGeometry): SplitGeometry | null {
  const [west, , east] = coordinateExtent(geometry.coordinates)
  if (west >= -180 && east <= 180) return geometry
  const split = splitGeometryAtAntimeridian(geometry as unknown as UnwrappedGeometry)
  if (!split) return null
  const { depth } = geometryLayout(split.type)!
  const roundPosition = ([x, y, ...rest]: readonly number[]) => [roundDegrees(x!), roundDegrees(y!), ...rest]
  return {
    type: split.type,
    coordinates: mapCoordinatesAtDepth(split.coordinates, depth, roundPosition) as GeometryCoordinates,
  }
}
