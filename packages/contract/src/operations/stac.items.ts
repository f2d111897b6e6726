import Type from 'typebox'
import { operation } from '../operation.ts'
import {
  BaseUrl,
  WithDefault,
  WithDescription,
  OkResultWithId,
  StrictObject,
  OptionalNullable,
  AnyObject,
  Uuid,
} from '../schemas/primitives.ts'
import { StacItem } from '../schemas/stac.ts'

const base_url = WithDefault(BaseUrl, '')

const itemIds = { collection_id: Uuid, stac_id: Type.String({ minLength: 1, maxLength: 500 }), base_url }
const writeProblems = ['not-found', 'not-a-member', 'invalid-state'] as const
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
  input: StrictObject({ collection_id: Uuid, base_url, item }),
  output: Type.Union([
    StacItem,
    Type.Object({ type: Type.Literal('FeatureCollection'), features: Type.Array(StacItem) }),
  ]),
  status: 201,
  problems: [...writeProblems, 'stac-id-taken', 'quota-storage'],
  emits: ['item.created'],
  extension: true,
  implemented: true,
})

/** What replace and update have in common. */
const updateDefinition = {
  body_limit_bytes: null,
  scope: 'items:write',
  effect: 'compute',
  input: StrictObject({ ...itemIds, item, if_match }),
  output: StacItem,
  problems: [...writeProblems, 'gone-retention', 'precondition-failed', 'quota-storage'],
  emits: ['item.updated'],
  extension: true,
  implemented: true,
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
  problems: [...writeProblems, 'precondition-failed'],
  emits: ['item.deleted'],
  extension: true,
  implemented: true,
})
