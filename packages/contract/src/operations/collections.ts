import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import { Collection } from '../schemas/collection.ts'
import {
  ClearIfNull,
  WithDefault,
  WithDescription,
  OkResultWithId,
  StrictObject,
  KeepIfNull,
  OptionalNullable,
  Uuid,
} from '../schemas/primitives.ts'

const Name = Type.String({ minLength: 1, maxLength: limits.max_name_length })
const LongText = Type.String({ maxLength: limits.max_text_length })
const description = OptionalNullable(LongText)
const Color = Type.String({ maxLength: 50, description: 'A CSS colour for the map.' })
const color = OptionalNullable(Color)
const LayerOrder = WithDescription(
  'Layers with a higher number are drawn on top.',
  Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 }),
)

export const collectionsCreateOperation = operation({
  id: 'collections.create',
  scope: 'collections:write',
  effect: 'compute',
  summary: 'Create a collection in a project.',
  input: StrictObject({
    project_id: Uuid,
    name: Name,
    description,
    color,
    show_on_map: WithDefault(Type.Boolean(), true),
    layer_order: WithDefault(LayerOrder, 0),
  }),
  output: Collection,
  problems: ['not-found', 'not-a-member', 'name-taken', 'invalid-state'],
  emits: ['collection.created'],
})

export const collectionsUpdateOperation = operation({
  id: 'collections.update',
  scope: 'collections:write',
  effect: 'compute',
  summary: 'Update a collection; absent fields keep their values.',
  input: StrictObject({
    project_id: Uuid,
    collection_id: Uuid,
    name: KeepIfNull(Name),
    description: ClearIfNull(LongText),
    color: ClearIfNull(Color),
    show_on_map: KeepIfNull(Type.Boolean()),
    layer_order: KeepIfNull(LayerOrder),
  }),
  output: Collection,
  problems: ['not-found', 'not-a-member', 'name-taken', 'invalid-state'],
  emits: ['collection.updated'],
})

export const collectionsDeleteOperation = operation({
  id: 'collections.delete',
  scope: 'collections:write',
  effect: 'destructive',
  summary: 'Soft-delete a collection and unlink its items.',
  input: StrictObject({ project_id: Uuid, collection_id: Uuid }),
  output: OkResultWithId,
  problems: ['not-found', 'not-a-member', 'invalid-state'],
  emits: ['item.updated'],
})

export const collectionsGetOperation = operation({
  id: 'collections.get',
  scope: 'collections:read',
  effect: 'read',
  summary: 'Read a collection of a project.',
  input: StrictObject({ project_id: Uuid, collection_id: Uuid }),
  output: Type.Object({ collection: Collection }),
  problems: ['not-found', 'not-a-member'],
})

export const collectionsListOperation = operation({
  id: 'collections.list',
  scope: 'collections:read',
  effect: 'read',
  summary: 'List the collections of a project.',
  input: StrictObject({ project_id: Uuid }),
  output: ListEnvelope('collections', Collection),
  problems: ['not-found', 'not-a-member'],
})

export const collectionsRestoreOperation = operation({
  id: 'collections.restore',
  scope: 'collections:write',
  effect: 'compute',
  summary: 'Restore a deleted collection with its items, within 30 days of its deletion.',
  input: StrictObject({ project_id: Uuid, collection_id: Uuid }),
  output: Collection,
  problems: ['not-found', 'not-a-member', 'name-taken', 'invalid-state', 'gone-retention'],
  emits: ['collection.updated', 'item.updated'],
  extension: true,
})
