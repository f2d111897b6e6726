import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { searchPaging } from '../paging.ts'
import { Geometry, Polygon } from '../shapes/geojson.ts'
import {
  BaseUrl,
  Bbox,
  Datetime,
  Default,
  Input,
  Maybe,
  Nullable,
  nullRefusedMark,
  Open,
  Uuid,
} from '../shapes/primitives.ts'
import {
  SortBy,
  StacAggregations,
  StacCatalog,
  StacCollection,
  StacItem,
  StacLink,
  StacQueryables,
  StacSearchResult,
} from '../shapes/stac.ts'

const texts = (description: string) =>
  Maybe(Type.Array(Type.String({ maxLength: 500 }), { maxItems: 10_000, description }))

const base_url = Default(BaseUrl, '')

const filters = {
  filter: Type.Optional(
    Nullable(Open, {
      description: 'A CQL2 JSON filter. One that is too expensive to evaluate answers `budget-exceeded`.',
    }),
  ),
  'filter-lang': Default(
    Nullable(Type.String({ maxLength: 100, description: 'Only `cql2-json` is supported.' })),
    'cql2-json',
  ),
}
/** The search conditions. */
const conditions = {
  collections: texts('Only items of these collections.'),
  ids: texts('Only items with these STAC ids.'),
  datetime: Maybe(Datetime),
  bbox: Maybe(Bbox),
  intersects: Type.Optional(
    Nullable(Polygon, {
      description: `A polygon of at most ${limits.stac_search_vertices} vertices; an invalid polygon matches no items.`,
    }),
  ),
  ...filters,
}

/** Clients also send a single string where the STAC API has an array. */
const textOrTexts = (description: string) =>
  Maybe(
    Type.Union([
      Type.Array(Type.String({ maxLength: 500 }), { maxItems: 10_000, description }),
      Type.String({ maxLength: 500 }),
    ]),
  )

/** The search conditions of the STAC API, except `collections`. */
const apiWherever = {
  ids: textOrTexts('Only items with these STAC ids.'),
  datetime: Maybe(Datetime),
  bbox: Maybe(
    Type.Union([
      Bbox,
      Type.Array(Type.Number(), { minItems: 6, maxItems: 6, description: 'With heights, which are ignored.' }),
    ]),
  ),
  intersects: Type.Optional(
    Nullable(Geometry, { description: `Any geometry of at most ${limits.stac_search_vertices} positions.` }),
  ),
  ...filters,
  query: Type.Optional(
    Nullable(Open, {
      description:
        'The query extension: `{"eo:cloud_cover": {"lt": 20}}`. A numeric string also compares with numbers.',
    }),
  ),
}
const apiConditions = { collections: textOrTexts('Only items of these collections.'), ...apiWherever }

const names = Maybe(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 200 }))
/** A search may be too expensive, take too long, or find a page that is too large. */
const refusals = ['conflicting-parameters', 'unsupported-filter', 'budget-exceeded'] as const

const geojson = 'application/geo+json'

const { limit, page: page_number } = searchPaging(limits.stac_search_limit)

const order = {
  sortby: SortBy,
  link_method: Default(
    Type.Enum(['POST', 'GET'], { description: 'HTTP method of the link to the next page.' }),
    'POST',
  ),
  token: Maybe(
    Type.String({
      maxLength: 4000,
      description:
        'The token from the link to the next page: the page continues after the previous one, even if items were added meanwhile. Without it `page` counts rows.',
    }),
  ),
}

const apiPage = {
  ...order,
  limit: Default(
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
      { include: names, exclude: names },
      { description: 'The fields extension: members of each item to include and to exclude.', [nullRefusedMark]: true },
    ),
  ),
}

export const stacSearch = operation({
  id: 'stac.search',
  scope: 'items:read',
  effect: 'read',
  summary: 'Search the items that the caller can see, with the STAC search of the platform.',
  input: Input({
    base_url,
    ...conditions,
    ...order,
    limit,
    page: page_number,
  }),
  output: StacSearchResult,
  paging: 'search',
  problems: refusals,
  answered: true,
})

/** A page whose items may have only some of their fields. */
const StacPage = Type.Object({ ...StacSearchResult.properties, features: Type.Array(Open) })

export const stacItemsSearch = operation({
  id: 'stac.items.search',
  scope: 'items:read',
  effect: 'read',
  summary:
    'Search the items that the caller can see, as the STAC API defines it, with the query and fields extensions.',
  input: Input({ base_url, ...apiConditions, ...apiPage }),
  output: StacPage,
  paging: 'search',
  problems: refusals,
  extension: true,
  answered: true,
})

export const stacCollectionsList = operation({
  id: 'stac.collections.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the collections that the caller can see, as STAC Collections.',
  input: Input({ base_url }),
  output: Type.Object({ collections: Type.Array(StacCollection), links: Type.Array(StacLink) }),
  answered: true,
})

export const stacCollectionsGet = operation({
  id: 'stac.collections.get',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read a collection as a STAC Collection.',
  input: Input({ collection_id: Uuid, base_url }),
  output: StacCollection,
  problems: ['not-found', 'not-a-member'],
  extension: true,
  answered: true,
})

export const stacItemsList = operation({
  id: 'stac.items.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'Search the items of one collection, as the STAC API defines it.',
  input: Input({ collection_id: Uuid, base_url, ...apiWherever, ...apiPage }),
  output: StacPage,
  paging: 'search',
  problems: [...refusals, 'not-found', 'not-a-member'],
  extension: true,
  answered: true,
})

export const stacItemsGet = operation({
  id: 'stac.items.get',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read an item of a collection by its STAC id.',
  input: Input({ collection_id: Uuid, stac_id: Type.String({ minLength: 1, maxLength: 500 }), base_url }),
  output: StacItem,
  media_type: geojson,
  problems: ['not-found', 'not-a-member', 'budget-exceeded'],
  extension: true,
  answered: true,
})

export const stacLanding = operation({
  id: 'stac.landing',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the landing page of the STAC API with its conformance classes and links.',
  input: Input({ base_url }),
  output: StacCatalog,
  extension: true,
  answered: true,
})

export const stacConformance = operation({
  id: 'stac.conformance',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the conformance classes of the STAC API.',
  input: Input({}),
  output: Type.Object({ conformsTo: Type.Array(Type.String()) }),
  extension: true,
  answered: true,
})

export const stacQueryables = operation({
  id: 'stac.queryables',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the queryables: the properties that a filter can use, as a JSON Schema.',
  input: Input({ collection_id: Maybe(Uuid), base_url }),
  output: StacQueryables,
  media_type: 'application/schema+json',
  problems: ['not-found', 'not-a-member', 'budget-exceeded'],
  extension: true,
  answered: true,
})

export const stacAggregate = operation({
  id: 'stac.aggregate',
  scope: 'items:read',
  effect: 'read',
  summary: 'Aggregate the items of a search by month, cloud cover and collection.',
  input: Input({
    base_url,
    ...apiConditions,
    aggregations: Maybe(
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
  problems: refusals,
  extension: true,
  answered: true,
})
