import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { Geometry } from './geojson.ts'
import {
  Count,
  WithDefault,
  StrictObject,
  OptionalNullable,
  Nullable,
  AnyObject,
  BaseUrl,
  Bbox,
  Datetime,
} from './primitives.ts'

export const StacLink = Type.Object({
  rel: Type.String(),
  href: Type.String(),
  type: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  method: Type.Optional(Type.String()),
  body: Type.Optional(AnyObject),
  merge: Type.Optional(Type.Boolean()),
})

/** The sort extension: the first field has the highest priority. */
export const SortBy = Type.Optional(
  Type.Array(
    StrictObject({
      field: Type.String({ minLength: 1, maxLength: 200 }),
      direction: WithDefault(Type.Enum(['asc', 'desc']), 'asc'),
    }),
    { maxItems: 10, description: 'Defaults to newest first.' },
  ),
)

/** Further members, such as `file:size` or `raster:bands`, are permitted. */
export const StacAsset = Type.Object({
  href: Type.String(),
  type: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  roles: Type.Optional(Type.Array(Type.String())),
})

/** A STAC 1.0.0 Item. */
export const StacItem = Type.Object({
  type: Type.Literal('Feature'),
  stac_version: Type.Literal('1.0.0'),
  stac_extensions: Type.Array(Type.String()),
  id: Type.String(),
  collection: OptionalNullable(Type.String()),
  geometry: Nullable(Geometry),
  bbox: Type.Optional(Type.Array(Type.Number())),
  properties: AnyObject,
  assets: Type.Record(Type.String(), StacAsset),
  links: Type.Array(StacLink),
})

export const StacCollectionId = Type.String({
  description: 'Id of a collection; `project-` and the id of a project for its items that are in no collection.',
})

/** A minimal STAC 1.0.0 Collection. */
export const StacCollection = Type.Object({
  type: Type.Literal('Collection'),
  stac_version: Type.Literal('1.0.0'),
  itemType: Type.Optional(
    Type.Literal('feature', {
      description: 'What its items are, for clients of OGC API - Features, which may list those of features only.',
    }),
  ),
  id: Type.String(),
  title: Type.Optional(Type.String()),
  description: Type.String(),
  license: Type.String(),
  extent: Type.Object({
    spatial: Type.Object({ bbox: Type.Array(Type.Array(Type.Number())) }),
    temporal: Type.Object({ interval: Type.Array(Type.Array(Nullable(Type.String()))) }),
  }),
  summaries: Type.Optional(AnyObject),
  links: Type.Array(StacLink),
})

/** The response of `stac.search`. */
export const StacSearchResult = Type.Object({
  type: Type.Literal('FeatureCollection'),
  features: Type.Array(StacItem),
  context: Type.Object({ returned: Count, matched: Count, page: Count, pages: Count }),
  numberMatched: Count,
  numberReturned: Count,
  links: Type.Array(StacLink),
})

/** The landing page of a STAC API. */
export const StacCatalog = Type.Object({
  type: Type.Literal('Catalog'),
  stac_version: Type.Literal('1.0.0'),
  id: Type.String(),
  title: Type.String(),
  description: Type.String(),
  conformsTo: Type.Array(Type.String()),
  links: Type.Array(StacLink),
})

/** A JSON Schema of the properties that a filter can use; a filter may use others, too. */
export const StacQueryables = Type.Object({
  $schema: Type.String(),
  $id: Type.String(),
  type: Type.Literal('object'),
  title: Type.String(),
  properties: Type.Record(Type.String(), AnyObject),
  additionalProperties: Type.Boolean(),
})

const StacBucket = Type.Object({
  key: Type.String(),
  data_type: Type.String(),
  frequency: Count,
  from: Type.Optional(Type.Unknown({ description: 'Lower bound, inclusive.' })),
  to: Type.Optional(Type.Unknown({ description: 'Upper bound, exclusive.' })),
})

/** Aggregations of a search, as the STAC aggregation extension defines them. */
export const StacAggregations = Type.Object({
  type: Type.Literal('AggregationCollection'),
  aggregations: Type.Array(
    Type.Object({
      name: Type.String(),
      data_type: Type.String(),
      value: Type.Optional(Type.Unknown()),
      buckets: Type.Optional(Type.Array(StacBucket)),
      overflow: Type.Optional(Count),
    }),
  ),
  links: Type.Array(StacLink),
})

/** The names of the aggregations. */
export const StacAggregationName = Type.Enum([
  'total_count',
  'datetime_min',
  'datetime_max',
  'datetime_frequency',
  'cloud_cover_frequency',
  'collection_frequency',
])

/** The aggregations that a search can have, as the STAC aggregation extension defines them. */
export const StacAvailableAggregations = Type.Object({
  type: Type.Literal('AggregationCollection'),
  aggregations: Type.Array(
    Type.Object({
      name: StacAggregationName,
      data_type: Type.String(),
      frequency_distribution_data_type: Type.Optional(Type.String()),
    }),
  ),
  links: Type.Array(StacLink),
})

export type StacCatalog = Static<typeof StacCatalog>
export type StacQueryables = Static<typeof StacQueryables>
export type StacAggregations = Static<typeof StacAggregations>
export type StacLink = Static<typeof StacLink>
export type StacAsset = Static<typeof StacAsset>
export type StacItem = Static<typeof StacItem>
export type StacCollection = Static<typeof StacCollection>
export type StacSearchResult = Static<typeof StacSearchResult>

/** The base URL of links in a STAC document. */
export const StacBaseUrl = WithDefault(BaseUrl, '')

/** The filter extension. */
export const cql2FilterFields = {
  filter: Type.Optional(
    Nullable(Type.Union([AnyObject, Type.String({ maxLength: 100_000 })]), {
      description:
        'A CQL2 JSON filter. One that is too expensive to evaluate answers `budget-exceeded`. A text is refused: it is in another language.',
    }),
  ),
  'filter-lang': WithDefault(
    Nullable(Type.String({ maxLength: 100, description: 'Only `cql2-json` is supported.' })),
    'cql2-json',
  ),
}

/** Clients also send a single string where the STAC API has an array. */
const stringOrStrings = (description: string) =>
  OptionalNullable(
    Type.Union([
      Type.Array(Type.String({ maxLength: 500 }), { maxItems: 10_000, description }),
      Type.String({ maxLength: 500 }),
    ]),
  )

/** The free-text extension. */
export const FreeText = OptionalNullable(
  Type.Union([
    Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: 20,
      description: 'Only what has one of these texts in its title, description or keywords, in any case.',
    }),
    Type.String({ maxLength: 1000, description: 'The same, separated by commas.' }),
  ]),
)

/** Four numbers, or six with heights, which are ignored. */
export const StacBbox = OptionalNullable(
  Type.Union([
    Bbox,
    Type.Array(Type.Number(), { minItems: 6, maxItems: 6, description: 'With heights, which are ignored.' }),
  ]),
)

/** The search conditions of the STAC API, except `collections`. */
export const stacCollectionSearchConditionFields = {
  ids: stringOrStrings('Only items with these STAC ids.'),
  datetime: OptionalNullable(Datetime),
  bbox: StacBbox,
  q: FreeText,
  intersects: Type.Optional(
    Nullable(Geometry, { description: `Any geometry of at most ${limits.max_stac_search_vertices} positions.` }),
  ),
  ...cql2FilterFields,
  query: Type.Optional(
    Nullable(AnyObject, {
      description:
        'The query extension: `{"eo:cloud_cover": {"lt": 20}}`. A numeric string also compares with numbers.',
    }),
  ),
}
export const stacSearchConditionFields = {
  collections: stringOrStrings(
    'Only items of these collections; `project-` and an id: those of the project in no collection.',
  ),
  ...stacCollectionSearchConditionFields,
}

export const stacOrderingFields = {
  sortby: SortBy,
  link_method: WithDefault(
    Type.Enum(['POST', 'GET'], { description: 'HTTP method of the link to the next page.' }),
    'POST',
  ),
  token: OptionalNullable(
    Type.String({
      maxLength: 8000,
      description:
        'The token from the link to the next page, which is enough alone: the page continues after the previous one, even if items were added meanwhile. Without it `page` counts rows.',
    }),
  ),
}
