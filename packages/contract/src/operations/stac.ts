import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { searchPaging } from '../paging.ts'
import { stacSearchProblems } from '../problems.ts'
import { Polygon } from '../schemas/geojson.ts'
import { OptionalNullable, Bbox, Datetime, Nullable, StrictObject, Uuid } from '../schemas/primitives.ts'
import {
  cql2FilterFields,
  StacSearchResult,
  stacOrderingFields,
  StacBaseUrl,
  StacCollection,
  StacLink,
  StacCatalog,
  StacQueryables,
  StacAggregations,
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

export const stacCollectionsListOperation = operation({
  id: 'stac.collections.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the collections that the caller can see, as STAC Collections.',
  input: StrictObject({ base_url: StacBaseUrl }),
  output: Type.Object({ collections: Type.Array(StacCollection), links: Type.Array(StacLink) }),
})

export const stacCollectionsGetOperation = operation({
  id: 'stac.collections.get',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read a collection as a STAC Collection.',
  input: StrictObject({ collection_id: Uuid, base_url: StacBaseUrl }),
  output: StacCollection,
  problems: ['not-found', 'not-a-member'],
  extension: true,
})

export const stacLandingOperation = operation({
  id: 'stac.landing',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the landing page of the STAC API with its conformance classes and links.',
  input: StrictObject({ base_url: StacBaseUrl }),
  output: StacCatalog,
  extension: true,
})

export const stacConformanceOperation = operation({
  id: 'stac.conformance',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the conformance classes of the STAC API.',
  input: StrictObject({}),
  output: Type.Object({ conformsTo: Type.Array(Type.String()) }),
  extension: true,
})

export const stacQueryablesOperation = operation({
  id: 'stac.queryables',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the queryables: the properties that a filter can use, as a JSON Schema.',
  input: StrictObject({ collection_id: OptionalNullable(Uuid), base_url: StacBaseUrl }),
  output: StacQueryables,
  media_type: 'application/schema+json',
  problems: ['not-found', 'not-a-member', 'budget-exceeded'],
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
    aggregations: OptionalNullable(
      Type.Array(
        Type.Enum([
          'total_count',
          'datetime_min',
          'datetime_max',
          'datetime_frequency',
          'cloud_cover_frequency',
          'collection_frequency',
        ]),
        { maxItems: 10, description: 'Defaults to all.' },
      ),
    ),
  }),
  output: StacAggregations,
  problems: stacSearchProblems,
  extension: true,
})
