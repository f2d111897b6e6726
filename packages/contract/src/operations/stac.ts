import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { searchPaging } from '../paging.ts'
import { stacSearchProblems } from '../problems.ts'
import { Polygon } from '../schemas/geojson.ts'
import { OptionalNullable, Bbox, Datetime, Nullable, StrictObject } from '../schemas/primitives.ts'
import {
  cql2FilterFields,
  StacSearchResult,
  stacOrderingFields,
  StacBaseUrl,
  StacCollectionId,
  StacCatalog,
  StacQueryables,
  StacAggregationName,
  StacAggregations,
  StacAvailableAggregations,
  stacSearchConditionFields,
} from '../schemas/stac.ts'

const optionalStrings = (description: string) =>
  OptionalNullable(Type.Array(Type.String({ maxLength: 500 }), { maxItems: 10_000, description }))

/** The search conditions. */
const searchConditions = {
  collections: optionalStrings('Only items of these collections.'),
  ids: optionalStrings('Only items with these STAC ids.'),
  datetime: OptionalNullable(Datetime),
  bbox: OptionalNullable(Bbox),
  intersects: Type.Optional(
    Nullable(Polygon, {
      description: `A polygon of at most ${limits.max_stac_search_vertices} vertices; an invalid polygon matches no items.`,
    }),
  ),
  ...cql2FilterFields,
}

export const stacSearchOperation = operation({
  id: 'stac.search',
  scope: 'items:read',
  effect: 'read',
  summary: 'Search the items that the caller can see, with the STAC search of the platform.',
  input: StrictObject({
    base_url: StacBaseUrl,
    ...searchConditions,
    ...stacOrderingFields,
    ...searchPaging(limits.stac_search_limit),
  }),
  output: StacSearchResult,
  paging: 'search',
  problems: stacSearchProblems,
})

export const stacLandingOperation = operation({
  id: 'stac.landing',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the landing page of the STAC API: classes, links and, for members, collections; public.',
  input: StrictObject({ base_url: StacBaseUrl }),
  output: StacCatalog,
  public: true,
  extension: true,
})

export const stacConformanceOperation = operation({
  id: 'stac.conformance',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the conformance classes of the STAC API; public.',
  input: StrictObject({ base_url: StacBaseUrl }),
  output: Type.Object({ conformsTo: Type.Array(Type.String()) }),
  public: true,
  extension: true,
})

export const stacQueryablesOperation = operation({
  id: 'stac.queryables',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the queryables, which filters can use, as a JSON Schema; without a token those of every item.',
  input: StrictObject({ collection_id: OptionalNullable(StacCollectionId), base_url: StacBaseUrl }),
  output: StacQueryables,
  media_type: 'application/schema+json',
  problems: ['not-found', 'not-a-member', 'budget-exceeded'],
  public: true,
  extension: true,
})

export const stacAggregateOperation = operation({
  id: 'stac.aggregate',
  scope: 'items:read',
  effect: 'read',
  summary: 'Aggregate the items of a search by month, cloud cover and collection.',
  input: StrictObject({
    base_url: StacBaseUrl,
    ...stacSearchConditionFields,
    collection_id: OptionalNullable(StacCollectionId),
    aggregations: OptionalNullable(Type.Array(StacAggregationName, { maxItems: 10, description: 'Defaults to all.' })),
  }),
  output: StacAggregations,
  problems: [...stacSearchProblems, 'not-found', 'not-a-member'],
  extension: true,
})

export const stacAggregationsOperation = operation({
  id: 'stac.aggregations',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the aggregations that `stac.aggregate` can make, of all items or of one collection.',
  input: StrictObject({ collection_id: OptionalNullable(StacCollectionId), base_url: StacBaseUrl }),
  output: StacAvailableAggregations,
  problems: ['not-found', 'not-a-member'],
  extension: true,
})
