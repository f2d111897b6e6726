import Type from 'typebox'
import { operation } from '../operation.ts'
import { BaseUrl, Default, Described, DoneWithId, Input, Maybe, Open, Uuid } from '../shapes/primitives.ts'
import { StacItem } from '../shapes/stac.ts'

const base_url = Default(BaseUrl, '')

const place = { collection_id: Uuid, stac_id: Type.String({ minLength: 1, maxLength: 500 }), base_url }
const writing = ['not-found', 'not-a-member', 'invalid-state'] as const
/** An item as its sender writes it. */
const item = Described('A STAC Feature of version 0.6 to 1.1, or the changes to one.', Open)
const if_match = Maybe(
  Type.String({
    maxLength: 1000,
    description: 'Tags of the item as it must still be, as the `ETag` of its STAC route has them; null for any.',
  }),
)

export const stacItemsCreate = operation({
  id: 'stac.items.create',
  scope: 'items:write',
  effect: 'compute',
  summary:
    'Create the items of a STAC Feature or FeatureCollection in a collection, all or none; assets stay where they are.',
  input: Input({ collection_id: Uuid, base_url, item }),
  output: Type.Union([
    StacItem,
    Type.Object({ type: Type.Literal('FeatureCollection'), features: Type.Array(StacItem) }),
  ]),
  status: 201,
  problems: [...writing, 'stac-id-taken', 'quota-storage'],
  emits: ['item.created'],
  extension: true,
  answered: true,
})

/** What both ways to change an item have in common. */
const changing = {
  scope: 'items:write',
  effect: 'compute',
  input: Input({ ...place, item, if_match }),
  output: StacItem,
  problems: [...writing, 'gone-retention', 'precondition-failed', 'quota-storage'],
  emits: ['item.updated'],
  extension: true,
  answered: true,
} as const

export const stacItemsReplace = operation({
  id: 'stac.items.replace',
  ...changing,
  summary: 'Replace what a STAC Feature says of an item; files that are stored here stay.',
})

export const stacItemsUpdate = operation({
  id: 'stac.items.update',
  ...changing,
  summary: 'Change parts of an item by a JSON Merge Patch of its STAC Feature.',
})

export const stacItemsDelete = operation({
  id: 'stac.items.delete',
  scope: 'items:write',
  effect: 'destructive',
  summary: 'Delete the item of a collection by its STAC id, softly.',
  input: Input({ ...place, if_match }),
  output: DoneWithId,
  problems: [...writing, 'precondition-failed'],
  emits: ['item.deleted'],
  extension: true,
  answered: true,
})
