import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List } from '../paging.ts'
import { Collection } from '../shapes/collection.ts'
import { ClearedByNull, Default, Described, DoneWithId, Input, KeptByNull, Maybe, Uuid } from '../shapes/primitives.ts'

const Name = Type.String({ minLength: 1, maxLength: limits.name_length })
const Text = Type.String({ maxLength: limits.text_length })
const description = Maybe(Text)
const Color = Type.String({ maxLength: 50, description: 'A CSS colour for the map.' })
const color = Maybe(Color)
const LayerOrder = Described(
  'Layers with a higher number are drawn on top.',
  Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 }),
)

export const collectionsCreate = operation({
  id: 'collections.create',
  scope: 'collections:write',
  effect: 'compute',
  summary: 'Create a collection in a project.',
  input: Input({
    project_id: Uuid,
    name: Name,
    description,
    color,
    show_on_map: Default(Type.Boolean(), true),
    layer_order: Default(LayerOrder, 0),
  }),
  output: Collection,
  problems: ['not-found', 'not-a-member', 'name-taken', 'invalid-state'],
  emits: ['collection.created'],
  answered: true,
})

export const collectionsUpdate = operation({
  id: 'collections.update',
  scope: 'collections:write',
  effect: 'compute',
  summary: 'Update a collection; absent fields keep their values.',
  input: Input({
    project_id: Uuid,
    collection_id: Uuid,
    name: KeptByNull(Name),
    description: ClearedByNull(Text),
    color: ClearedByNull(Color),
    show_on_map: KeptByNull(Type.Boolean()),
    layer_order: KeptByNull(LayerOrder),
  }),
  output: Collection,
  problems: ['not-found', 'not-a-member', 'name-taken', 'invalid-state'],
  emits: ['collection.updated'],
  answered: true,
})

export const collectionsDelete = operation({
  id: 'collections.delete',
  scope: 'collections:write',
  effect: 'destructive',
  summary: 'Soft-delete a collection and unlink its items.',
  input: Input({ project_id: Uuid, collection_id: Uuid }),
  output: DoneWithId,
  problems: ['not-found', 'not-a-member', 'invalid-state'],
  answered: true,
})

export const collectionsGet = operation({
  id: 'collections.get',
  scope: 'collections:read',
  effect: 'read',
  summary: 'Read a collection of a project.',
  input: Input({ project_id: Uuid, collection_id: Uuid }),
  output: Type.Object({ collection: Collection }),
  problems: ['not-found', 'not-a-member'],
  answered: true,
})

export const collectionsList = operation({
  id: 'collections.list',
  scope: 'collections:read',
  effect: 'read',
  summary: 'List the collections of a project.',
  input: Input({ project_id: Uuid }),
  output: List('collections', Collection),
  problems: ['not-found', 'not-a-member'],
  answered: true,
})

export const collectionsRestore = operation({
  id: 'collections.restore',
  scope: 'collections:write',
  effect: 'compute',
  summary: 'Restore a deleted collection with its items, within 30 days of its deletion.',
  input: Input({ project_id: Uuid, collection_id: Uuid }),
  output: Collection,
  problems: ['not-found', 'not-a-member', 'name-taken', 'invalid-state', 'gone-retention'],
  emits: ['collection.updated'],
  extension: true,
  answered: true,
})
