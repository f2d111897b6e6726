import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { searchPaging } from '../paging.ts'
import { Polygon } from '../shapes/geojson.ts'
import { BaseUrl, Bbox, Datetime, Default, Input, Maybe, Nullable, Open } from '../shapes/primitives.ts'
import { SortBy, StacCollection, StacLink, StacSearchResult } from '../shapes/stac.ts'

const ids = (description: string) =>
  Maybe(Type.Array(Type.String({ maxLength: 500 }), { maxItems: 10_000, description }))

export const stacSearch = operation({
  id: 'stac.search',
  scope: 'items:read',
  effect: 'read',
  summary: 'Search every item of the organization that the caller can see, as STAC.',
  input: Input({
    base_url: Default(BaseUrl, ''),
    collections: ids('Only items of these collections.'),
    ids: ids('By STAC id.'),
    datetime: Maybe(Datetime),
    bbox: Maybe(Bbox),
    intersects: Type.Optional(
      Nullable(Polygon, {
        description: `A polygon of at most ${limits.stac_search_vertices} vertices; an invalid one finds nothing.`,
      }),
    ),
    filter: Type.Optional(Nullable(Open, { description: 'CQL2 as JSON.' })),
    'filter-lang': Default(
      Nullable(Type.String({ maxLength: 100, description: 'Only `cql2-json` is served.' })),
      'cql2-json',
    ),
    sortby: SortBy,
    ...searchPaging(limits.stac_search_limit),
  }),
  output: StacSearchResult,
  paging: 'search',
  problems: ['conflicting-parameters', 'unsupported-filter'],
  answered: true,
})

export const stacCollectionsList = operation({
  id: 'stac.collections.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the collections that the caller can see, as STAC.',
  input: Input({ base_url: Default(BaseUrl, '') }),
  output: Type.Object({ collections: Type.Array(StacCollection), links: Type.Array(StacLink) }),
})
