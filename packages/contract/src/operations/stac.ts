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
      description: 'CQL2 as JSON. One that asks too much of each item is refused with `budget-exceeded`.',
    }),
  ),
  'filter-lang': Default(
    Nullable(Type.String({ maxLength: 100, description: 'Only `cql2-json` is served.' })),
    'cql2-json',
  ),
}
/** What items must be to be found. */
const conditions = {
  collections: texts('Only items of these collections.'),
  ids: texts('By STAC id.'),
  datetime: Maybe(Datetime),
  bbox: Maybe(Bbox),
  intersects: Type.Optional(
    Nullable(Polygon, {
      description: `A polygon of at most ${limits.stac_search_vertices} vertices; an invalid one finds nothing.`,
    }),
  ),
  ...filters,
}

/** Clients send one text where the STAC API has a list, too. */
const textOrTexts = (description: string) =>
  Maybe(
    Type.Union([
      Type.Array(Type.String({ maxLength: 500 }), { maxItems: 10_000, description }),
      Type.String({ maxLength: 500 }),
    ]),
  )

/** What the STAC API lets a search ask, in whatever collection. */
const apiWherever = {
  ids: textOrTexts('By STAC id.'),
  datetime: Maybe(Datetime),
  bbox: Maybe(
    Type.Union([
      Bbox,
      Type.Array(Type.Number(), { minItems: 6, maxItems: 6, description: 'With heights, which are not compared.' }),
    ]),
  ),
  intersects: Type.Optional(
    Nullable(Geometry, { description: `Any geometry of at most ${limits.stac_search_vertices} positions.` }),
  ),
  ...filters,
  query: Type.Optional(
    Nullable(Open, {
      description:
        'The query extension: `{"eo:cloud_cover": {"lt": 20}}`. A text that is a number compares with numbers, too.',
    }),
  ),
}
const apiConditions = { collections: textOrTexts('Only items of these collections.'), ...apiWherever }

const names = Maybe(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 200 }))
/** A search may ask for too much of each item, take too long, or find a page that is too long a text. */
const refusals = ['conflicting-parameters', 'unsupported-filter', 'budget-exceeded'] as const

const geojson = 'application/geo+json'

const { limit, page: page_number } = searchPaging(limits.stac_search_limit)

const order = {
  sortby: SortBy,
  link_method: Default(
    Type.Enum(['POST', 'GET'], { description: 'How the link to the next page is followed.' }),
    'POST',
  ),
  token: Maybe(
    Type.String({
      maxLength: 4000,
      description:
        'The token of the link to the page: the page begins right after the one before, whatever is added meanwhile. Without it rows are counted.',
    }),
  ),
}

const apiPage = {
  ...order,
  limit: Default(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: `Above ${limits.stac_search_limit.maximum} it counts as that.`,
    }),
    limits.stac_search_limit.default,
  ),
  page: page_number,
  fields: Type.Optional(
    Type.Object(
      { include: names, exclude: names },
      { description: 'The fields extension: what of each item is answered, and what is not.', [nullRefusedMark]: true },
    ),
  ),
}

export const stacSearch = operation({
  id: 'stac.search',
  scope: 'items:read',
  effect: 'read',
  summary: 'Search every item of the organization that the caller can see, as STAC.',
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

/** A page whose items may have been cut to some of their fields. */
const StacPage = Type.Object({ ...StacSearchResult.properties, features: Type.Array(Open) })

export const stacItemsSearch = operation({
  id: 'stac.items.search',
  scope: 'items:read',
  effect: 'read',
  summary: 'Search as the STAC API has it: any geometry, boxes with heights, `query`, `fields`.',
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
  summary: 'List the collections that the caller can see, as STAC.',
  input: Input({ base_url }),
  output: Type.Object({ collections: Type.Array(StacCollection), links: Type.Array(StacLink) }),
  answered: true,
})

export const stacCollectionsGet = operation({
  id: 'stac.collections.get',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read one collection as STAC.',
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
  summary: 'Search the items of one collection, as STAC.',
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
  summary: 'Read the item of a collection by its STAC id.',
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
  summary: 'Read the landing page of the STAC API: what it conforms to and where its parts are.',
  input: Input({ base_url }),
  output: StacCatalog,
  extension: true,
  answered: true,
})

export const stacConformance = operation({
  id: 'stac.conformance',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the classes that the STAC API conforms to.',
  input: Input({}),
  output: Type.Object({ conformsTo: Type.Array(Type.String()) }),
  extension: true,
  answered: true,
})

export const stacQueryables = operation({
  id: 'stac.queryables',
  scope: 'items:read',
  effect: 'read',
  summary: 'Describe the properties that a filter may name, as a JSON Schema.',
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
  summary: 'Count the items of a search by month, by cloud cover and by collection.',
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
        { maxItems: 10, description: 'All of them without it.' },
      ),
    ),
  }),
  output: StacAggregations,
  problems: refusals,
  extension: true,
  answered: true,
})
