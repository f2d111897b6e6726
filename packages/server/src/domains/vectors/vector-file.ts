import type { Geometry } from '@swath/contract/shapes/geojson.ts'

/** What reading one vector file may cost. */
export interface VectorLimits {
  readonly features: number
  /** Positions of all features together, and of one. */
  readonly positions: number
  readonly feature_positions: number
  /** Of the features as they are sent, unpacked, and of one feature. */
  readonly bytes: number
  readonly feature_bytes: number
  /** A document that must be in memory as a whole (KML). */
  readonly document_bytes: number
  /** Lists and objects inside of a property. */
  readonly property_depth: number
  readonly fields: number
}

export const vector_limits: VectorLimits = {
  features: 1_000_000,
  positions: 5_000_000,
  feature_positions: 1_000_000,
  bytes: 256 * 2 ** 20,
  feature_bytes: 64 * 2 ** 20,
  document_bytes: 48 * 2 ** 20,
  property_depth: 10,
  fields: 1000,
}

export type FieldType = 'integer' | 'number' | 'string' | 'boolean' | 'array' | 'object' | 'mixed' | 'null'

/** A property that features have. */
export interface Field {
  readonly name: string
  /** Of its values; `null` where none has one, `mixed` where they differ. */
  readonly type: FieldType
}

export type VectorFormat = 'geojson' | 'shapefile' | 'kml'

/** A vector file after reading: its features lie in a GeoJSON file of WGS 84, one a line. */
export interface VectorFile {
  readonly format: VectorFormat
  /** What its reference system was called, `WGS 84` where none was named. */
  readonly crs: string
  readonly features: number
  readonly positions: number
  /** West, south, east, north; west is greater than east across the antimeridian. */
  readonly bbox: readonly [number, number, number, number]
  /** What an item of these features covers: the one area itself, else the hull of all positions. */
  readonly geometry: Geometry
  /** Of the features that have a geometry, in the order of their first one. */
  readonly geometry_types: readonly string[]
  readonly fields: readonly Field[]
  /** First and last of the times that features carry, as RFC 3339; null where none does. */
  readonly start: string | null
  readonly end: string | null
  /** Of the GeoJSON file. */
  readonly size: number
  readonly checksum_sha256: string
}

export const geojsonType = 'application/geo+json'
