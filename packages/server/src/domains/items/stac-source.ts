import type { Geometry } from '@swath/contract/shapes/geojson.ts'

/** The times of a Feature that columns hold, and those of its record at the source. */
export const sourceTimes = ['datetime', 'start_datetime', 'end_datetime', 'created', 'updated'] as const
export type SourceTime = (typeof sourceTimes)[number]

/** What the source Feature of an item says and no column holds. Times are texts of RFC 3339 that end in `Z`. */
export interface StacSource extends Partial<Readonly<Record<SourceTime, string>>> {
  /** As it was given, where it is not what the geometry says: four or six numbers. */
  readonly bbox?: readonly number[]
  /** With heights, which the stored one lacks. */
  readonly geometry?: Geometry
  /** Members of other standards beside those of STAC, by name. */
  readonly members?: Readonly<Record<string, unknown>>
}

/** Null where nothing is said. */
export function sourceOrNull(source: StacSource): StacSource | null {
  const said = Object.entries(source).filter(([, value]) => value !== undefined)
  return said.length === 0 ? null : (Object.fromEntries(said) as StacSource)
}

/** What stays true of a source when the item is changed here; a place of its own has no box and no heights but its own. */
export function sourceAfterChange(source: StacSource | null, geometry?: Geometry | null): StacSource | null {
  if (geometry === undefined && source === null) return null
  const { updated: _, bbox, geometry: before, ...rest } = source ?? {}
  return sourceOrNull({ ...rest, ...(geometry === undefined ? { bbox, geometry: before } : heightsOf(geometry)) })
}

/** A geometry for a source, where it has heights. */
export const heightsOf = (geometry: Geometry | null): Pick<StacSource, 'geometry'> =>
  geometry !== null && hasHeights(geometry) ? { geometry } : {}

function hasHeights(geometry: Geometry): boolean {
  if (geometry.type === 'GeometryCollection') return geometry.geometries.some(hasHeights)
  const isHigh = (value: unknown): boolean =>
    Array.isArray(value) && (typeof value[0] === 'number' ? value.length > 2 : value.some(isHigh))
  return isHigh(geometry.coordinates)
}
