import Type, { type Static } from 'typebox'
import { Geometry } from './geojson.ts'
import { ServicePrice } from './price.ts'
import { Count, Maybe, Nullable, Open } from './primitives.ts'
import { StacAsset, StacLink } from './stac.ts'

/** A scene of a host; priced collections carry `service:price`, free ones say 0 credits. */
export const CatalogFeature = Type.Object({
  type: Type.Literal('Feature'),
  stac_version: Type.Optional(Type.String()),
  stac_extensions: Type.Optional(Type.Array(Type.String())),
  id: Type.String(),
  collection: Maybe(Type.String()),
  geometry: Nullable(Geometry),
  bbox: Type.Optional(Type.Array(Type.Number())),
  properties: Open,
  assets: Type.Optional(Type.Record(Type.String(), StacAsset)),
  links: Type.Optional(Type.Array(StacLink)),
  'service:price': ServicePrice,
})

export const CatalogResult = Type.Object({
  type: Type.Literal('FeatureCollection'),
  features: Type.Array(CatalogFeature),
  numberReturned: Count,
  next: Type.Optional(Type.String({ description: 'Send it as `next` for the following page; absent at the end.' })),
})

export const FederatedResult = Type.Object({
  type: Type.Literal('FeatureCollection'),
  features: Type.Array(CatalogFeature),
  numberReturned: Count,
  sources: Type.Array(
    Type.Object({
      source_id: Type.String(),
      title: Type.String(),
      count: Count,
      error: Nullable(Type.String({ description: 'Why this source answered nothing.' })),
    }),
  ),
})

/** What a host sells or gives: one product of its catalogue. */
export const SourceCollection = Type.Object({
  id: Type.String(),
  title: Type.String(),
  data_type: Type.String(),
  render_strategy: Type.String(),
  access_model: Type.String(),
  gsd: Nullable(Type.Number()),
  render_params: Open,
})

/** A host: somebody's catalogue. Its `id` is the `host_name` of searches and the `host` of captures. */
export const Source = Type.Object({
  id: Type.String(),
  title: Type.String(),
  description: Type.String(),
  access_model: Type.String(),
  scope: Type.String(),
  countries: Type.Array(Type.String()),
  attribution: Type.String(),
  license: Type.String(),
  collections: Type.Array(SourceCollection),
})

/** A host as a vendor of imagery, or one of its sensors. */
export const Vendor = Type.Object({
  id: Type.String(),
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  countries: Type.Array(Type.String()),
  products: Type.Array(Type.String()),
})

/** What a file of a scene holds, for drawing it. */
export const SceneInfo = Type.Object({
  scene_id: Type.String(),
  bounds: Type.Array(Type.Number()),
  minzoom: Type.Integer(),
  maxzoom: Type.Integer(),
  bands: Type.Array(Type.Object({ name: Type.String(), description: Nullable(Type.String()) })),
  dtype: Type.String(),
  nodata: Nullable(Type.Number()),
})

/** A named way to draw the scenes of a platform. */
export const SceneVisualization = Type.Object({
  id: Type.String(),
  title: Type.String(),
  description: Type.String(),
  bands: Nullable(Type.String()),
  expression: Nullable(Type.String()),
  rescale: Nullable(Type.String()),
  colormap: Nullable(Type.String()),
})

export type CatalogFeature = Static<typeof CatalogFeature>
export type CatalogResult = Static<typeof CatalogResult>
export type Source = Static<typeof Source>
