import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import {
  Count,
  Datetime,
  OkResultWithId,
  OptionalNullable,
  StrictObject,
  Uuid,
  WithDefault,
} from '../schemas/primitives.ts'
import { FreeText, StacBaseUrl, StacBbox, StacCollection, StacCollectionId, StacLink } from '../schemas/stac.ts'

export const stacCollectionsListOperation = operation({
  id: 'stac.collections.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'List or search the collections that the caller can see, as STAC Collections.',
  input: StrictObject({
    base_url: StacBaseUrl,
    bbox: StacBbox,
    datetime: OptionalNullable(Datetime),
    q: FreeText,
    limit: OptionalNullable(
      Type.Integer({
        minimum: 1,
        maximum: limits.stac_search_limit.maximum,
        description: 'Collections of a page; without it all are returned.',
      }),
    ),
    page: WithDefault(Type.Integer({ minimum: 0, maximum: limits.max_offset }), 0),
  }),
  output: Type.Object({
    collections: Type.Array(StacCollection),
    links: Type.Array(StacLink),
    numberMatched: Count,
    numberReturned: Count,
  }),
})

export const stacCollectionsGetOperation = operation({
  id: 'stac.collections.get',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read a collection as a STAC Collection.',
  input: StrictObject({ collection_id: StacCollectionId, base_url: StacBaseUrl }),
  output: StacCollection,
  problems: ['not-found', 'not-a-member'],
  extension: true,
})

export const stacCollectionsDeleteOperation = operation({
  id: 'stac.collections.delete',
  scope: 'collections:write',
  effect: 'destructive',
  summary: 'Delete a collection by its id alone; its items stay and belong to no collection.',
  input: StrictObject({ collection_id: Uuid }),
  output: OkResultWithId,
  problems: ['not-found', 'not-a-member', 'invalid-state'],
  emits: ['item.updated'],
  extension: true,
})
