/** A feature of the source file, unvalidated and in its coordinate reference system. */
export interface RawFeature {
  readonly id?: unknown
  readonly geometry: unknown
  readonly properties: unknown
}

/** The features in file order, and the coordinate reference system that the file names. */
export interface RawFeatures {
  readonly crs: SourceCrsName | null
  readonly features: AsyncIterable<RawFeature> | Iterable<RawFeature>
  /** What was changed while reading, for the sender; complete when all features are read. */
  readonly notes: ReadonlySet<string>
}

/** A coordinate reference system in a file: an identifier such as `urn:ogc:def:crs:EPSG::3857`, or WKT. */
export type SourceCrsName = { readonly name: string } | { readonly wkt: string }
