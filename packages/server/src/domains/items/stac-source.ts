import type { Geometry } from '@swath/contract/shapes/geojson.ts'

/** The times of a Feature that are stored in columns, and those of its record at the source. */
export const sourceTimes = ['datetime', 'start_datetime', 'end_datetime', 'created', 'updated'] as const
export type SourceTime = (typeof sourceTimes)[number]

/** Members of an item's source Feature that no column stores. Times are RFC 3339 texts that end in `Z`. */
export interface StacSource extends Partial<Readonly<Record<SourceTime, string>>> {
  /** The source bbox, if it differs from that of the geometry: four or six numbers. */
  readonly bbox?: readonly number[]
  /** With elevations, which the geometry column lacks. */
  readonly geometry?: Geometry
  /** Foreign members, by name. */
  readonly members?: Readonly<Record<string, unknown>>
}

/** Drops undefined members; null if none is left. */
export function sourceOrNull(source: StacSource): StacSource | null {
  const said = Object.entries(source).filter(([, value]) => value !== undefined)
  return said.length === 0 ? null : (Object.fromEntries(said) as StacSource)
}

/** The source after an update of the item: without `updated`; a new geometry replaces bbox and elevations. */
export function sourceAfterChange(source: StacSource | null, geometry?: Geometry | null): StacSource | null {
  if (geometry === undefined && source === null) return null
  const { updated: _, bbox, geometry: before, ...rest } = source ?? {}
  return sourceOrNull({ ...rest, ...(geometry === undefined ? { bbox, geometry: before } : heightsOf(geometry)) })
}

/** The geometry as a source member, if it has elevations. */
export const heightsOf = (geometry: Geometry | null): Pick<StacSource, 'geometry'> =>
  geometry !== null && hasHeights(geometry) ? { geometry } : {}

function hasHeights(geometry: Geometry): boolean {
  if (geometry.type === 'GeometryCollection') return geometry.geometries.some(hasHeights)
  const isHigh = (value: unknown): boolean =>
    Array.isArray(value) && (typeof value[0] === 'number' ? value.length > 2 : value.some(isHigh))
  return isHigh(geometry.coordinates)
}
