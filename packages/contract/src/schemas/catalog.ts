import Type, { type Static } from 'typebox'
import { Geometry } from './geojson.ts'
import { ServicePrice } from './price.ts'
import {
  AnyObject,
  Bbox,
  Count,
  Datetime,
  Nullable,
  OptionalNullable,
  StrictObject,
  Timestamp,
  Uuid,
  WithDescription,
} from './primitives.ts'
import { StacAsset, StacLink } from './stac.ts'

export const CatalogName = Type.String({ minLength: 1, maxLength: 500 })
export const optionalCatalogNamesField = OptionalNullable(Type.Array(CatalogName, { maxItems: 1000 }))
export const CatalogSceneId = WithDescription('The id of the scene at its host.', CatalogName)
export const CatalogProviderName = WithDescription('A provider (`catalog.providers.list`).', CatalogName)
export const CatalogSourceId = WithDescription('The `id` of a source (`catalog.sources.list`).', CatalogName)
const optionalBound = OptionalNullable(Type.Union([Type.Number(), Type.String({ maxLength: 100 })]))

/** Clients use both spellings. */
const Comparison = StrictObject({
  GT: optionalBound,
  GTE: optionalBound,
  LT: optionalBound,
  LTE: optionalBound,
  EQ: optionalBound,
  gt: optionalBound,
  gte: optionalBound,
  lt: optionalBound,
  lte: optionalBound,
  eq: optionalBound,
})

/** The filters of every catalogue search. */
export const catalogFilterFields = {
  collections: WithDescription('Only these collections of the host, by id.', optionalCatalogNamesField),
  ids: WithDescription('Only these scenes, by their id at the host.', optionalCatalogNamesField),
  datetime: OptionalNullable(Datetime),
  bbox: OptionalNullable(Bbox),
  intersects: WithDescription(
    'Only scenes that intersect this geometry; prices are for its area.',
    OptionalNullable(Geometry),
  ),
  query: Type.Optional(
    Type.Record(Type.String(), Comparison, {
      description: 'Comparisons by property, such as `{"cloudCoverage": {"LTE": 20}}`.',
    }),
  ),
  full_catalog: OptionalNullable(
    Type.Boolean({
      description: 'Also search collections that can be viewed but not ordered; their scenes have no price.',
    }),
  ),
}

/** The filters of a saved search. */
export const CatalogSearchFilters = StrictObject(catalogFilterFields)

/** A scene of a host with its price, `service:price`; scenes of free collections cost 0 credits. Without an offer it is null. */
export const CatalogFeature = Type.Object({
  type: Type.Literal('Feature'),
  stac_version: Type.Optional(Type.String()),
  stac_extensions: Type.Optional(Type.Array(Type.String())),
  id: Type.String(),
  collection: OptionalNullable(Type.String()),
  geometry: Nullable(Geometry),
  bbox: Type.Optional(Type.Array(Type.Number())),
  properties: AnyObject,
  assets: Type.Optional(Type.Record(Type.String(), StacAsset)),
  links: Type.Optional(Type.Array(StacLink)),
  'service:price': WithDescription('Null for a scene that cannot be ordered.', Nullable(ServicePrice)),
})

export const CatalogSearchResult = Type.Object({
  type: Type.Literal('FeatureCollection'),
  features: Type.Array(CatalogFeature),
  numberReturned: Count,
  next: Type.Optional(Type.String({ description: 'Send it as `next` to get the next page; absent on the last page.' })),
})

const SearchedSource = Type.Object({
  source_id: Type.String(),
  title: Type.String(),
  count: Type.Integer({ minimum: 0, description: 'Scenes of this source in the response.' }),
  error: Nullable(Type.String({ description: 'Why this source returned no scenes.' })),
  elapsed_ms: Type.Integer({ minimum: 0, description: 'How long the source took to respond.' }),
})

export const FederatedSearchResult = Type.Object({
  ...CatalogSearchResult.properties,
  sources: Type.Array(SearchedSource),
})

/** The price of an area in each collection, at the scene that covers most of it. */
export const PriceComparison = Type.Object({
  offers: Type.Array(
    Type.Object({
      host_name: Type.String(),
      collection: Type.String(),
      title: Type.String(),
      gsd: Nullable(Type.Number()),
      scene_id: Type.String({ description: 'The scene that covers most of the area; the newest of several.' }),
      datetime: Type.String({ format: 'date-time' }),
      cloud_cover: Nullable(Type.Number()),
      covered_percent: Type.Number({ minimum: 0, maximum: 100, description: 'How much of the area the scene covers.' }),
      scene_count: Type.Integer({ minimum: 1, description: 'Scenes of the collection among those compared.' }),
      price: ServicePrice,
    }),
  ),
  sources: Type.Array(SearchedSource),
})

/** A collection of a host: one product of its catalogue, free or for sale. */
export const CatalogCollection = Type.Object({
  id: Type.String(),
  title: Type.String(),
  data_type: Type.String(),
  render_strategy: Type.String(),
  access_model: Type.String(),
  gsd: Nullable(Type.Number()),
  render_params: AnyObject,
})

/** A host: an external catalogue. Its `id` is the `host_name` of searches and the `host` of captures. */
export const CatalogSource = Type.Object({
  id: Type.String(),
  title: Type.String(),
  description: Type.String(),
  access_model: Type.String(),
  scope: Type.String(),
  countries: Type.Array(Type.String()),
  attribution: Type.String(),
  license: Type.String(),
  license_url: Type.String({ description: 'The page with the terms of the imagery.' }),
  status: Type.Enum(['available', 'unavailable'], { description: 'Whether the host responds at the moment.' }),
  message: WithDescription('Why the host is unavailable; null if it is available.', Nullable(Type.String())),
  collections: Type.Array(CatalogCollection),
})

/** A vendor of imagery, or a provider of scenes. */
export const Vendor = Type.Object({
  id: Type.String(),
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  countries: Type.Array(Type.String()),
  products: Type.Array(Type.String()),
})

/** Metadata of a scene for rendering it. */
export const SceneInfo = Type.Object({
  scene_id: Type.String(),
  bounds: Type.Array(Type.Number()),
  minzoom: Type.Integer(),
  maxzoom: Type.Integer(),
  bands: Type.Array(Type.Object({ name: Type.String(), description: Nullable(Type.String()) })),
  dtype: Type.String(),
  nodata: Nullable(Type.Number()),
  crs: Type.String({
    description:
      'An EPSG code, the name of a coordinate system without one, or the definition (PROJ) of one without a name.',
  }),
  gsd: Nullable(Type.Number({ description: 'Metres between the samples on the ground.' })),
})

/** Coverage and cloud of an area in one scene, before it is bought. Shares are percentages. */
export const SceneAreaScore = Type.Object({
  scene_id: Type.String(),
  collection: Type.String(),
  covered_percent: Type.Number({ minimum: 0, maximum: 100, description: 'How much of the area the footprint covers.' }),
  measured_percent: Type.Number({ minimum: 0, maximum: 100, description: 'How much of the area has pixels.' }),
  cloud_percent: WithDescription(
    'Cloud among the pixels within the area; null without pixels or without `source`. An estimate from brightness or a quicklook counts snow, bright sand and white roofs as cloud, and misses thin cloud.',
    Nullable(Type.Number({ minimum: 0, maximum: 100 })),
  ),
  haze_percent: WithDescription(
    'Haze or thin cirrus among the pixels within the area; null if no mask states it.',
    Nullable(Type.Number({ minimum: 0, maximum: 100 })),
  ),
  source: WithDescription(
    '`cloud-mask`: the mask of the provider. `brightness`: an estimate from bright, colourless pixels. `quicklook`: the same from the image that the host shows, placed on its grid or on the footprint. Null: none of them can be read.',
    Nullable(Type.Enum(['cloud-mask', 'brightness', 'quicklook'])),
  ),
  reason: WithDescription('Why there is no `source`, as a sentence; null with one.', Nullable(Type.String())),
  scene_cloud_percent: WithDescription('Cloud of the whole scene by its provider.', Nullable(Type.Number())),
})

/** A named rendering preset for the scenes of a platform. */
export const SceneVisualization = Type.Object({
  id: Type.String(),
  title: Type.String(),
  description: Type.String(),
  bands: Nullable(Type.String()),
  expression: Nullable(Type.String()),
  rescale: Nullable(Type.String()),
  colormap: Nullable(Type.String()),
})

/** The state of one source of a saved search after its periodic runs. */
const SavedSearchSource = Type.Object({
  source_id: Type.String(),
  last_run_at: WithDescription('When the source was last searched with success.', Nullable(Timestamp)),
  error: Nullable(Type.String({ description: 'Why the last run failed; null after a success.' })),
  next_run_at: WithDescription('No earlier than this it is searched again.', Timestamp),
})

/** A search of the catalogue with a name, which the platform repeats if it notifies. */
export const SavedSearch = Type.Object({
  id: Uuid,
  name: Type.String(),
  project_id: WithDescription('The project whose members see the search and its events.', Uuid),
  source_ids: WithDescription('The sources that are searched; null for all.', Nullable(Type.Array(Type.String()))),
  filters: CatalogSearchFilters,
  notify: Type.Boolean({ description: 'New scenes are looked for and announced as `saved_search.matched`.' }),
  sources: Type.Array(SavedSearchSource, { description: 'The sources that were searched so far.' }),
  last_matched_at: WithDescription('When new scenes were last found.', Nullable(Timestamp)),
  created_by: Type.String(),
  created_at: Timestamp,
})

/** A place of the world, or a position that the text of a search is. */
export const PlaceResult = Type.Object({
  kind: WithDescription(
    'A `position` is coordinates, an MGRS reference or a plus code.',
    Type.Union([Type.Literal('settlement'), Type.Literal('region'), Type.Literal('country'), Type.Literal('position')]),
  ),
  name: Type.String(),
  matched_name: WithDescription(
    'The name that was found, where it is another one of the place.',
    Nullable(Type.String()),
  ),
  country_code: WithDescription('ISO 3166-1, two letters.', Nullable(Type.String())),
  country: WithDescription('Name of the country, in English.', Nullable(Type.String())),
  population: WithDescription('People who live there; null where it is unknown.', Nullable(Count)),
  lon: Type.Number({ description: 'Degrees, WGS 84.' }),
  lat: Type.Number({ description: 'Degrees, WGS 84.' }),
  bbox: WithDescription('The extent of a country or region; null for others.', Nullable(Bbox)),
  reading: WithDescription(
    'How the text of a position was read: `latitude, longitude`, `longitude, latitude`, `MGRS` or `plus code`.',
    Nullable(Type.String()),
  ),
})

export type PlaceResult = Static<typeof PlaceResult>
export type CatalogFeature = Static<typeof CatalogFeature>
export type CatalogSearchResult = Static<typeof CatalogSearchResult>
export type PriceComparison = Static<typeof PriceComparison>
export type CatalogSource = Static<typeof CatalogSource>
export type SceneInfo = Static<typeof SceneInfo>
export type SceneVisualization = Static<typeof SceneVisualization>
export type SceneAreaScore = Static<typeof SceneAreaScore>
export type Vendor = Static<typeof Vendor>
export type CatalogSearchFilters = Static<typeof CatalogSearchFilters>
export type SavedSearch = Static<typeof SavedSearch>
