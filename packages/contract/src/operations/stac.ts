import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { searchPaging } from '../paging.ts'
import { Geometry, Polygon } from '../schemas/geojson.ts'
import {
  BaseUrl,
  Bbox,
  Datetime,
  WithDefault,
  StrictObject,
  OptionalNullable,
  Nullable,
  rejectsNullMarker,
  AnyObject,
  Uuid,
} from '../schemas/primitives.ts'
import {
  SortBy,
  StacAggregations,
  StacCatalog,
  StacCollection,
  StacItem,
  StacLink,
  StacQueryables,
  StacSearchResult,
} from '../schemas/stac.ts'

const optionalStrings = (description: string) =>
  OptionalNullable(Type.Array(Type.String({ maxLength: 500 }), { maxItems: 10_000, description }))

const base_url = WithDefault(BaseUrl, '')

const filters = {
  filter: Type.Optional(
    Nullable(AnyObject, {
      description: 'A CQL2 JSON filter. One that is too expensive to evaluate answers `budget-exceeded`.',
    }),
  ),
  'filter-lang': WithDefault(
    Nullable(Type.String({ maxLength: 100, description: 'Only `cql2-json` is supported.' })),
    'cql2-json',
  ),
}
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
  ...filters,
}

/** Clients also send a single string where the STAC API has an array. */
const stringOrStrings = (description: string) =>
  OptionalNullable(
    Type.Union([
      Type.Array(Type.String({ maxLength: 500 }), { maxItems: 10_000, description }),
      Type.String({ maxLength: 500 }),
    ]),
  )

/** The search conditions of the STAC API, except `collections`. */
const apiConditionsWithoutCollections = {
  ids: stringOrStrings('Only items with these STAC ids.'),
  datetime: OptionalNullable(Datetime),
  bbox: OptionalNullable(
    Type.Union([
      Bbox,
      Type.Array(Type.Number(), { minItems: 6, maxItems: 6, description: 'With heights, which are ignored.' }),
    ]),
  ),
  intersects: Type.Optional(
    Nullable(Geometry, { description: `Any geometry of at most ${limits.max_stac_search_vertices} positions.` }),
  ),
  ...filters,
  query: Type.Optional(
    Nullable(AnyObject, {
      description:
        'The query extension: `{"eo:cloud_cover": {"lt": 20}}`. A numeric string also compares with numbers.',
    }),
  ),
}
const apiConditions = {
  collections: stringOrStrings('Only items of these collections.'),
  ...apiConditionsWithoutCollections,
}

const fieldNames = OptionalNullable(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 200 }))
/** A search may be too expensive, take too long, or find a page that is too large. */
const searchProblems = ['conflicting-parameters', 'unsupported-filter', 'budget-exceeded'] as const

const geojsonMediaType = 'application/geo+json'

const { limit, page: page_number } = searchPaging(limits.stac_search_limit)

const orderingFields = {
  sortby: SortBy,
  link_method: WithDefault(
    Type.Enum(['POST', 'GET'], { description: 'HTTP method of the link to the next page.' }),
    'POST',
  ),
  token: OptionalNullable(
    Type.String({
      maxLength: 4000,
      description:
        'The token from the link to the next page: the page continues after the previous one, even if items were added meanwhile. Without it `page` counts rows.',
    }),
  ),
}

const apiPageFields = {
  ...orderingFields,
  limit: WithDefault(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: `Reduced to ${limits.stac_search_limit.maximum} if it is larger.`,
    }),
    limits.stac_search_limit.default,
  ),
  page: page_number,
  fields: Type.Optional(
    Type.Object(
      { include: fieldNames, exclude: fieldNames },
      {
        description: 'The fields extension: members of each item to include and to exclude.',
        [rejectsNullMarker]: true,
      },
    ),
  ),
}

export const stacSearchOperation = operation({
  id: 'stac.search',
  scope: 'items:read',
  effect: 'read',
  summary: 'Search the items that the caller can see, with the STAC search of the platform.',
  input: StrictObject({
    base_url,
    ...searchConditions,
    ...orderingFields,
    limit,
    page: page_number,
  }),
  output: StacSearchResult,
  paging: 'search',
  problems: searchProblems,
  implemented: true,
})

/** A page whose items may have only some of their fields. */
const StacPage = Type.Object({ ...StacSearchResult.properties, features: Type.Array(AnyObject) })

export const stacItemsSearchOperation = operation({
  id: 'stac.items.search',
  scope: 'items:read',
  effect: 'read',
  summary:
    'Search the items that the caller can see, as the STAC API defines it, with the query and fields extensions.',
  input: StrictObject({ base_url, ...apiConditions, ...apiPageFields }),
  output: StacPage,
  paging: 'search',
  problems: searchProblems,
  extension: true,
  implemented: true,
})

export const stacCollectionsListOperation = operation({
  id: 'stac.collections.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the collections that the caller can see, as STAC Collections.',
  input: StrictObject({ base_url }),
  output: Type.Object({ collections: Type.Array(StacCollection), links: Type.Array(StacLink) }),
  implemented: true,
})

export const stacCollectionsGetOperation = operation({
  id: 'stac.collections.get',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read a collection as a STAC Collection.',
  input: StrictObject({ collection_id: Uuid, base_url }),
  output: StacCollection,
  problems: ['not-found', 'not-a-member'],
  extension: true,
  implemented: true,
})

export const stacItemsListOperation = operation({
  id: 'stac.items.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'Search the items of one collection, as the STAC API defines it.',
  input: StrictObject({ collection_id: Uuid, base_url, ...apiConditionsWithoutCollections, ...apiPageFields }),
  output: StacPage,
  paging: 'search',
  problems: [...searchProblems, 'not-found', 'not-a-member'],
  extension: true,
  implemented: true,
})

export const stacItemsGetOperation = operation({
  id: 'stac.items.get',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read an item of a collection by its STAC id.',
  input: StrictObject({ collection_id: Uuid, stac_id: Type.String({ minLength: 1, maxLength: 500 }), base_url }),
  output: StacItem,
  media_type: geojsonMediaType,
  problems: ['not-found', 'not-a-member', 'budget-exceeded'],
  extension: true,
  implemented: true,
})

export const stacLandingOperation = operation({
  id: 'stac.landing',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the landing page of the STAC API with its conformance classes and links.',
  input: StrictObject({ base_url }),
  output: StacCatalog,
  extension: true,
  implemented: true,
})

export const stacConformanceOperation = operation({
  id: 'stac.conformance',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the conformance classes of the STAC API.',
  input: StrictObject({}),
  output: Type.Object({ conformsTo: Type.Array(Type.String()) }),
  extension: true,
  implemented: true,
})

export const stacQueryablesOperation = operation({
  id: 'stac.queryables',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the queryables: the properties that a filter can use, as a JSON Schema.',
  input: StrictObject({ collection_id: OptionalNullable(Uuid), base_url }),
  output: StacQueryables,
  media_type: 'application/schema+json',
  problems: ['not-found', 'not-a-member', 'budget-exceeded'],
  extension: true,
  implemented: true,
})

export const stacAggregateOperation = operation({
  id: 'stac.aggregate',
  scope: 'items:read',
  effect: 'read',
  summary: 'Aggregate the items of a search by month, cloud cover and collection.',
  input: StrictObject({
    base_url,
    ...apiConditions,
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
  problems: searchProblems,
  extension: true,
  implemented: true,
})
