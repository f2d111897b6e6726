/** A feature as its file has it: positions in the file's reference system, nothing checked. */
export interface RawFeature {
  readonly id?: unknown
  readonly geometry: unknown
  readonly properties: unknown
}

/** Features in their order, and what the file calls its reference system. */
export interface RawFeatures {
  readonly crs: CrsName | null
  readonly features: AsyncIterable<RawFeature> | Iterable<RawFeature>
}

/** A reference system as files give it: an identifier such as `urn:ogc:def:crs:EPSG::3857`, or well-known text. */
export type CrsName = { readonly name: string } | { readonly wkt: string }
