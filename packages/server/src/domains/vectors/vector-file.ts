import type { Geometry } from '@swath/contract/schemas/geojson.ts'

/** The limits of reading one vector file. */
export interface VectorLimits {
  readonly features: number
  /** Positions of all features together, and of one. */
  readonly positions: number
  readonly feature_positions: number
  /** Maximum bytes of the uncompressed features, and of one feature. */
  readonly bytes: number
  readonly feature_bytes: number
  /** Maximum bytes of a document that is read into memory as a whole (KML). */
  readonly document_bytes: number
  /** Nesting of a property value. */
  readonly property_depth: number
  readonly fields: number
}

export const default_vector_limits: VectorLimits = {
  features: 1_000_000,
  positions: 5_000_000,
  feature_positions: 1_000_000,
  bytes: 256 * 2 ** 20,
  feature_bytes: 64 * 2 ** 20,
  document_bytes: 48 * 2 ** 20,
  property_depth: 10,
  fields: 1000,
}

export type VectorFieldType = 'integer' | 'number' | 'string' | 'boolean' | 'array' | 'object' | 'mixed' | 'null'

/** A property of the features. */
export interface VectorField {
  readonly name: string
  /** The type of its values; `null` if all are null, `mixed` if they differ. */
  readonly type: VectorFieldType
}

export type VectorFormat = 'geojson' | 'shapefile' | 'kml'

/** A converted vector file: its features are in a GeoJSON file in WGS 84, one per line. */
export interface VectorFile {
  readonly format: VectorFormat
  /** The name of its coordinate reference system, by default `WGS 84`. */
  readonly crs: string
  readonly features: number
  readonly positions: number
  /** West, south, east, north; west is greater than east across the antimeridian. */
  readonly bbox: readonly [number, number, number, number]
  /** The item geometry of these features: of a single feature its own, else the convex hull. */
  readonly geometry: Geometry
  /** The geometry types of the features, in order of first occurrence. */
  readonly geometry_types: readonly string[]
  readonly fields: readonly VectorField[]
  /** The first and last time of the features, as RFC 3339; null without any. */
  readonly start: string | null
  readonly end: string | null
  /** What was changed while reading, as sentences for the sender. */
  readonly notes: readonly string[]
  /** The size of the GeoJSON file in bytes. */
  readonly size: number
  readonly checksum_sha256: string
}

export const geojsonMediaType = 'application/geo+json'
