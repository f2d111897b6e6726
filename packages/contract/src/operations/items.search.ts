import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListWithNextOffset, List, next_offset, offsetPaging } from '../paging.ts'
import { Item, ItemType } from '../schemas/item.ts'
import {
  BaseUrl,
  Bbox,
  Count,
  Datetime,
  WithDefault,
  WithDescription,
  StrictObject,
  OptionalNullable,
  AnyObject,
  Uuid,
} from '../schemas/primitives.ts'
import { SortBy, StacItem } from '../schemas/stac.ts'

const itemsPaging = offsetPaging(limits.items_rest_limit)

const searchFields = {
  bbox: OptionalNullable(Bbox),
  datetime: OptionalNullable(Datetime),
  ...itemsPaging,
  collections: OptionalNullable(Type.Array(Uuid, { maxItems: 1000, description: 'Only items of these collections.' })),
  type: OptionalNullable(ItemType),
  query: WithDescription(
    'Property filters of the STAC query extension, such as `{"eo:cloud_cover": {"lt": 20}}`.',
    OptionalNullable(AnyObject),
  ),
  sortby: SortBy,
  format: OptionalNullable(
    Type.Enum(['stac'], { description: '`stac` returns STAC Items; by default items are flat objects.' }),
  ),
  base_url: OptionalNullable(BaseUrl),
}

const ItemSearchResult = Type.Object({
  type: Type.Literal('FeatureCollection'),
  features: Type.Array(Type.Union([StacItem, Item])),
  numberMatched: Count,
  next_offset,
})

export const itemsListOperation = operation({
  id: 'items.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the items of a project, newest first.',
  input: StrictObject({
    project_id: Uuid,
    collection_id: OptionalNullable(Uuid),
    uncollected: WithDefault(Type.Boolean({ description: 'Only items without a collection.' }), false),
    ...itemsPaging,
  }),
  output: ListWithNextOffset('items', Item),
  paging: 'offset',
  problems: ['not-found', 'not-a-member', 'conflicting-parameters'],
  implemented: true,
})

export const itemsListByCollectionOperation = operation({
  id: 'items.list_by_collection',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the items of a collection, newest first.',
  input: StrictObject({ collection_id: Uuid, ...itemsPaging }),
  output: ListWithNextOffset('items', Item),
  paging: 'offset',
  problems: ['not-found', 'not-a-member'],
  implemented: true,
})

export const itemsSearchOperation = operation({
  id: 'items.search',
  scope: 'items:read',
  effect: 'read',
  summary: 'Search the items of a project by geometry, time and properties.',
  input: StrictObject({ project_id: Uuid, ...searchFields }),
  output: ItemSearchResult,
  paging: 'offset',
  problems: ['not-found', 'not-a-member', 'budget-exceeded'],
  implemented: true,
})

export const itemsSearchOrgOperation = operation({
  id: 'items.search_org',
  scope: 'items:read',
  effect: 'read',
  summary: 'Search the items of every project that the caller can see.',
  input: StrictObject(searchFields),
  output: ItemSearchResult,
  paging: 'offset',
  problems: ['budget-exceeded'],
  implemented: true,
})

export const itemsListExpiringOperation = operation({
  id: 'items.list_expiring',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the items whose retention ends within a number of days.',
  input: StrictObject({
    days: WithDefault(Type.Integer({ minimum: 0, maximum: 3650, description: 'Days from now.' }), 7),
  }),
  output: List('items', Item),
  implemented: true,
})
