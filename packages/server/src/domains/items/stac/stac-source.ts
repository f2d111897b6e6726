import type { Geometry } from '@swath/contract/schemas/geojson.ts'

/** The times of a Feature that are stored in columns, and those of its record at the source. */
export const sourceTimeNames = ['datetime', 'start_datetime', 'end_datetime', 'created', 'updated'] as const
export type SourceTimeName = (typeof sourceTimeNames)[number]

/** Members of an item's source Feature that no column stores. Times are RFC 3339 texts that end in `Z`. */
export interface ItemFeatureExtraMembers extends Partial<Readonly<Record<SourceTimeName, string>>> {
  /** The source bbox, if it differs from that of the geometry: four or six numbers. */
  readonly bbox?: readonly number[]
  /** With elevations, which the geometry column lacks. */
  readonly geometry?: Geometry
  /** Foreign members, by name. */
  readonly members?: Readonly<Record<string, unknown>>
}

/** Drops undefined members; null if none is left. */
export function compactStacSource(source: ItemFeatureExtraMembers): ItemFeatureExtraMembers | null {
  const entries = Object.entries(source).filter(([, value]) => value !== undefined)
  return entries.length === 0 ? null : (Object.fromEntries(entries) as ItemFeatureExtraMembers)
}

/** The source after an update of the item: without `updated`; a new geometry replaces bbox and elevations. */
export function applyGeometryToStacSource(
  source: ItemFeatureExtraMembers | null,
  geometry?: Geometry | null,
): ItemFeatureExtraMembers | null {
  if (geometry === undefined && source === null) return null
  const { updated: _, bbox, geometry: before, ...rest } = source ?? {}
  return compactStacSource({
    ...rest,
    ...(geometry === undefined ? { bbox, geometry: before } : toSourceGeometry(geometry)),
  })
}

/** The geometry as a source member, if it has elevations. */
export const toSourceGeometry = (geometry: Geometry | null): Pick<ItemFeatureExtraMembers, 'geometry'> =>
  geometry !== null && hasElevations(geometry) ? { geometry } : {}

function hasElevations(geometry: Geometry): boolean {
  if (geometry.type === 'GeometryCollection') return geometry.geometries.some(hasElevations)
  const hasElevation = (value: unknown): boolean =>
    Array.isArray(value) && (typeof value[0] === 'number' ? value.length > 2 : value.some(hasElevation))
  return hasElevation(geometry.coordinates)
}
