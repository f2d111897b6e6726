import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List } from '../paging.ts'
import { WithDefault, OkResultWithId, StrictObject, OptionalNullable, Uuid } from '../schemas/primitives.ts'
import { NewTileToken, TileToken } from '../schemas/tile-token.ts'

const targetFields = {
  item_id: OptionalNullable(Uuid),
  collection_id: OptionalNullable(Uuid),
}

export const itemsTileTokenCreateOperation = operation({
  id: 'items.tile.token.create',
  scope: 'items:write',
  effect: 'export',
  summary: 'Create a tile token, for clients that cannot send headers: it permits the tiles of one item or collection.',
  input: StrictObject({
    ...targetFields,
    name: WithDefault(
      Type.String({ maxLength: limits.max_name_length, description: 'For example where the token is used.' }),
      '',
    ),
    expires_in_seconds: WithDefault(
      Type.Integer({ ...limits.tile_token_seconds, description: 'Lifetime of the token.' }),
      limits.tile_token_seconds.default,
    ),
  }),
  output: NewTileToken,
  status: 201,
  problems: ['not-found', 'not-a-member', 'gone-retention', 'user-required'],
  extension: true,
  implemented: true,
})

export const itemsTileTokenListOperation = operation({
  id: 'items.tile.token.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the valid tile tokens of an item or collection, or all of the caller, newest first, without secrets.',
  input: StrictObject(targetFields),
  output: List('tokens', TileToken),
  problems: ['not-found', 'not-a-member', 'gone-retention'],
  extension: true,
  implemented: true,
})

export const itemsTileTokenRevokeOperation = operation({
  id: 'items.tile.token.revoke',
  scope: 'items:write',
  effect: 'destructive',
  summary: 'Revoke a tile token immediately; its creator and editors of the project may do so.',
  input: StrictObject({ token_id: Uuid }),
  output: OkResultWithId,
  problems: ['not-found', 'not-a-member', 'invalid-state'],
  extension: true,
  implemented: true,
})
