import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Item, ItemType } from '../shapes/item.ts'
import { Count, Default, Described, Input, Maybe, Nullable, Open, Uuid } from '../shapes/primitives.ts'

const writing = ['not-found', 'not-a-member', 'invalid-state'] as const

/** Why a row of a batch was rejected: the members of its problem document. */
const Refusal = Type.Object({
  problem: Type.String({ description: 'The name of the problem, such as `stac-id-taken`.' }),
  detail: Type.String(),
  errors: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
})

export const itemsRestore = operation({
  id: 'items.restore',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Restore a deleted item with its assets, within 30 days of its deletion.',
  input: Input({ item_id: Uuid }),
  output: Item,
  problems: [...writing, 'gone-retention', 'stac-id-taken'],
  emits: ['item.updated'],
  extension: true,
  answered: true,
})

export const itemsBatchCreate = operation({
  id: 'items.batch_create',
  scope: 'items:write',
  effect: 'compute',
  summary:
    'Create up to 1,000 items from STAC Items; assets stay at their URLs and each row succeeds or fails on its own.',
  input: Input({
    project_id: Uuid,
    collection_id: Described(
      'Collection of the items; defaults to the `collection` of each feature if that is the id of a collection in the project.',
      Maybe(Uuid),
    ),
    type: Default(ItemType, 'external_reference'),
    features: Type.Array(Open, {
      minItems: 1,
      maxItems: limits.batch_items,
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
        refusal: Nullable(Refusal),
      }),
      { description: 'One result per feature, in the same order.' },
    ),
  }),
  problems: [...writing, 'quota-storage'],
  emits: ['item.created'],
  extension: true,
  answered: true,
})

export const itemsBatchDelete = operation({
  id: 'items.batch_delete',
  scope: 'items:write',
  effect: 'destructive',
  summary: 'Soft-delete up to 1,000 items; each row succeeds or fails on its own.',
  input: Input({ item_ids: Type.Array(Uuid, { minItems: 1, maxItems: limits.batch_items }) }),
  output: Type.Object({
    deleted: Count,
    refused: Count,
    results: Type.Array(Type.Object({ item_id: Uuid, deleted: Type.Boolean(), refusal: Nullable(Refusal) }), {
      description: 'One result per id, in the same order.',
    }),
  }),
  problems: writing,
  emits: ['item.deleted'],
  extension: true,
  answered: true,
})
