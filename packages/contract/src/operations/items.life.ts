import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Item, ItemType } from '../schemas/item.ts'
import {
  Count,
  WithDefault,
  WithDescription,
  StrictObject,
  OptionalNullable,
  Nullable,
  AnyObject,
  Uuid,
} from '../schemas/primitives.ts'

const writeProblems = ['not-found', 'not-a-member', 'invalid-state'] as const

/** Why a row of a batch was rejected: the members of its problem document. */
const RowProblem = Type.Object({
  problem: Type.String({ description: 'The name of the problem, such as `stac-id-taken`.' }),
  detail: Type.String(),
  errors: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
})

export const itemsRestoreOperation = operation({
  id: 'items.restore',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Restore a deleted item with its assets, within 30 days of its deletion.',
  input: StrictObject({ item_id: Uuid }),
  output: Item,
  problems: [...writeProblems, 'gone-retention', 'stac-id-taken'],
  emits: ['item.updated'],
  extension: true,
  implemented: true,
})

export const itemsBatchCreateOperation = operation({
  id: 'items.batch_create',
  scope: 'items:write',
  effect: 'compute',
  summary:
    'Create up to 1,000 items from STAC Items; assets stay at their URLs and each row succeeds or fails on its own.',
  body_limit_bytes: null,
  input: StrictObject({
    project_id: Uuid,
    collection_id: WithDescription(
      'Collection of the items; defaults to the `collection` of each feature if that is the id of a collection in the project.',
      OptionalNullable(Uuid),
    ),
    type: WithDefault(ItemType, 'external_reference'),
    features: Type.Array(AnyObject, {
      minItems: 1,
      maxItems: limits.max_batch_items,
      description: 'STAC Items of version 0.6 to 1.1; they are stored as 1.0.0.',
    }),
  }),
  output: Type.Object({
    created: Count,
    refused: Count,
    results: Type.Array(
      Type.Object({
        index: Count,
        stac_id: Nullable(Type.String()),
        item_id: Nullable(Uuid),
        refusal: Nullable(RowProblem),
      }),
      { description: 'One result per feature, in the same order.' },
    ),
  }),
  problems: [...writeProblems, 'quota-storage'],
  emits: ['item.created'],
  extension: true,
  implemented: true,
})

export const itemsBatchDeleteOperation = operation({
  id: 'items.batch_delete',
  scope: 'items:write',
  effect: 'destructive',
  summary: 'Soft-delete up to 1,000 items; each row succeeds or fails on its own.',
  input: StrictObject({ item_ids: Type.Array(Uuid, { minItems: 1, maxItems: limits.max_batch_items }) }),
  output: Type.Object({
    deleted: Count,
    refused: Count,
    results: Type.Array(Type.Object({ item_id: Uuid, deleted: Type.Boolean(), refusal: Nullable(RowProblem) }), {
      description: 'One result per id, in the same order.',
    }),
  }),
  problems: writeProblems,
  emits: ['item.deleted'],
  extension: true,
  implemented: true,
})
