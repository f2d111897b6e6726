import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List } from '../paging.ts'
import { Default, DoneWithId, Input, Maybe, Uuid } from '../shapes/primitives.ts'
import { NewTileToken, TileToken } from '../shapes/tile-token.ts'

const holder = {
  item_id: Maybe(Uuid),
  collection_id: Maybe(Uuid),
}

export const itemsTileTokenCreate = operation({
  id: 'items.tile.token.create',
  scope: 'items:read',
  effect: 'export',
  summary:
    'Make a token for tools that can send no header: in the address it opens the tiles of one item or collection.',
  input: Input({
    ...holder,
    name: Default(Type.String({ maxLength: limits.name_length, description: 'Such as where it is used.' }), ''),
    expires_in_seconds: Default(
      Type.Integer({ ...limits.tile_token_seconds, description: 'How long it works.' }),
      limits.tile_token_seconds.default,
    ),
  }),
  output: NewTileToken,
  status: 201,
  problems: ['not-found', 'not-a-member', 'gone-retention', 'user-required'],
  extension: true,
  answered: true,
})

export const itemsTileTokenList = operation({
  id: 'items.tile.token.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the tile tokens of an item or a collection that still work, newest first, without their secrets.',
  input: Input(holder),
  output: List('tokens', TileToken),
  problems: ['not-found', 'not-a-member', 'gone-retention'],
  extension: true,
  answered: true,
})

export const itemsTileTokenRevoke = operation({
  id: 'items.tile.token.revoke',
  scope: 'items:write',
  effect: 'destructive',
  summary: 'End a tile token at once; whoever made it may, and whoever may write in its project.',
  input: Input({ token_id: Uuid }),
  output: DoneWithId,
  problems: ['not-found', 'not-a-member', 'invalid-state'],
  extension: true,
  answered: true,
})
