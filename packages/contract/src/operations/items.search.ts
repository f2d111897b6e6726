import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { LargeList, List, next_offset, offsetPaging } from '../paging.ts'
import { Item, ItemType } from '../shapes/item.ts'
import { BaseUrl, Bbox, Count, Datetime, Default, Described, Input, Maybe, Open, Uuid } from '../shapes/primitives.ts'
import { SortBy, StacItem } from '../shapes/stac.ts'

const itemsPaging = offsetPaging(limits.items_rest_limit)

const search = {
  bbox: Maybe(Bbox),
  datetime: Maybe(Datetime),
  ...itemsPaging,
  collections: Maybe(Type.Array(Uuid, { maxItems: 1000, description: 'Only items of these collections.' })),
  type: Maybe(ItemType),
  query: Described(
    'Property filters of the STAC query extension, such as `{"eo:cloud_cover": {"lt": 20}}`.',
    Maybe(Open),
  ),
  sortby: SortBy,
  format: Maybe(Type.Enum(['stac'], { description: '`stac` returns STAC Items; by default items are flat objects.' })),
  base_url: Maybe(BaseUrl),
}

const Found = Type.Object({
  type: Type.Literal('FeatureCollection'),
  features: Type.Array(Type.Union([StacItem, Item])),
  numberMatched: Count,
  next_offset,
})

export const itemsList = operation({
  id: 'items.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the items of a project, newest first.',
  input: Input({
    project_id: Uuid,
    collection_id: Maybe(Uuid),
    uncollected: Default(Type.Boolean({ description: 'Only items without a collection.' }), false),
    ...itemsPaging,
  }),
  output: LargeList('items', Item),
  paging: 'offset',
  problems: ['not-found', 'not-a-member', 'conflicting-parameters'],
  answered: true,
})

export const itemsListByCollection = operation({
  id: 'items.list_by_collection',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the items of a collection, newest first.',
  input: Input({ collection_id: Uuid, ...itemsPaging }),
  output: LargeList('items', Item),
  paging: 'offset',
  problems: ['not-found', 'not-a-member'],
  answered: true,
})

export const itemsSearch = operation({
  id: 'items.search',
  scope: 'items:read',
  effect: 'read',
  summary: 'Search the items of a project by geometry, time and properties.',
  input: Input({ project_id: Uuid, ...search }),
  output: Found,
  paging: 'offset',
  problems: ['not-found', 'not-a-member', 'budget-exceeded'],
  answered: true,
})

export const itemsSearchOrg = operation({
  id: 'items.search_org',
  scope: 'items:read',
  effect: 'read',
  summary: 'Search the items of every project that the caller can see.',
  input: Input(search),
  output: Found,
  paging: 'offset',
  problems: ['budget-exceeded'],
  answered: true,
})

export const itemsListExpiring = operation({
  id: 'items.list_expiring',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the items whose retention ends within a number of days.',
  input: Input({ days: Default(Type.Integer({ minimum: 0, maximum: 3650, description: 'Days from now.' }), 7) }),
  output: List('items', Item),
  answered: true,
})
