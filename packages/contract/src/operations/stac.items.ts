import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { searchPaging } from '../paging.ts'
import { itemWriteProblems, stacSearchProblems } from '../problems.ts'
import {
  WithDescription,
  AnyObject,
  OptionalNullable,
  StrictObject,
  OkResultWithId,
  WithDefault,
  rejectsNullMemberMarker,
} from '../schemas/primitives.ts'
import {
  StacBaseUrl,
  StacCollectionId,
  StacItem,
  stacOrderingFields,
  StacSearchResult,
  stacSearchConditionFields,
  stacCollectionSearchConditionFields,
} from '../schemas/stac.ts'

const itemIds = {
  collection_id: StacCollectionId,
  stac_id: Type.String({ minLength: 1, maxLength: 500 }),
  base_url: StacBaseUrl,
}

/** An item as the client sends it. */
const item = WithDescription('A STAC Item of version 0.6 to 1.1; for an update a JSON Merge Patch of one.', AnyObject)

const if_match = OptionalNullable(
  Type.String({
    maxLength: 1000,
    description: 'Expected `ETag` of the item, or several, as its STAC route returns it; null for no condition.',
  }),
)

export const stacItemsCreateOperation = operation({
  id: 'stac.items.create',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Create items in a collection from a STAC Item or ItemCollection, all or none; assets stay at their URLs.',
  body_limit_bytes: null,
  input: StrictObject({ collection_id: StacCollectionId, base_url: StacBaseUrl, item }),
  output: Type.Union([
    StacItem,
    Type.Object({ type: Type.Literal('FeatureCollection'), features: Type.Array(StacItem) }),
  ]),
  status: 201,
  problems: [...itemWriteProblems, 'stac-id-taken', 'quota-storage'],
  emits: ['item.created'],
  extension: true,
})

/** The part of the definition that replace and update share. */
const updateDefinition = {
  body_limit_bytes: null,
  scope: 'items:write',
  effect: 'compute',
  input: StrictObject({ ...itemIds, item, if_match }),
  output: StacItem,
  problems: [...itemWriteProblems, 'gone-retention', 'precondition-failed', 'quota-storage'],
  emits: ['item.updated'],
  extension: true,
} as const

export const stacItemsReplaceOperation = operation({
  id: 'stac.items.replace',
  ...updateDefinition,
  summary: 'Replace the metadata of an item by a STAC Item; stored files are kept.',
})

export const stacItemsUpdateOperation = operation({
  id: 'stac.items.update',
  ...updateDefinition,
  summary: 'Update an item by a JSON Merge Patch of its STAC Item.',
})

export const stacItemsDeleteOperation = operation({
  id: 'stac.items.delete',
  scope: 'items:write',
  effect: 'destructive',
  summary: 'Soft-delete an item of a collection by its STAC id.',
  input: StrictObject({ ...itemIds, if_match }),
  output: OkResultWithId,
  problems: [...itemWriteProblems, 'precondition-failed'],
  emits: ['item.deleted'],
  extension: true,
})

const fieldNames = OptionalNullable(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 200 }))

const geojsonMediaType = 'application/geo+json'

const apiPageFields = {
  ...stacOrderingFields,
  limit: WithDefault(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: `Reduced to ${limits.stac_search_limit.maximum} if it is larger.`,
    }),
    limits.stac_search_limit.default,
  ),
  page: searchPaging(limits.stac_search_limit).page,
  fields: Type.Optional(
    Type.Object(
      { include: fieldNames, exclude: fieldNames },
      {
        description: 'The fields extension: members of each item to include and to exclude.',
        [rejectsNullMemberMarker]: true,
      },
    ),
  ),
}

/** A page whose items may have only some of their fields. */
const StacPage = Type.Object({ ...StacSearchResult.properties, features: Type.Array(AnyObject) })

export const stacItemsSearchOperation = operation({
  id: 'stac.items.search',
  scope: 'items:read',
  effect: 'read',
  summary:
    'Search the items that the caller can see, as the STAC API defines it, with the query and fields extensions.',
  input: StrictObject({ base_url: StacBaseUrl, ...stacSearchConditionFields, ...apiPageFields }),
  output: StacPage,
  paging: 'search',
  problems: stacSearchProblems,
  extension: true,
})

export const stacItemsListOperation = operation({
  id: 'stac.items.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'Search the items of one collection, as the STAC API defines it.',
  input: StrictObject({
    collection_id: StacCollectionId,
    base_url: StacBaseUrl,
    ...stacCollectionSearchConditionFields,
    ...apiPageFields,
  }),
  output: StacPage,
  paging: 'search',
  problems: [...stacSearchProblems, 'not-found', 'not-a-member'],
  extension: true,
})

export const stacItemsGetOperation = operation({
  id: 'stac.items.get',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read an item of a collection by its STAC id.',
  input: StrictObject({
    collection_id: StacCollectionId,
    stac_id: Type.String({ minLength: 1, maxLength: 500 }),
    base_url: StacBaseUrl,
  }),
  output: StacItem,
  media_type: geojsonMediaType,
  problems: ['not-found', 'not-a-member', 'budget-exceeded'],
  extension: true,
})
