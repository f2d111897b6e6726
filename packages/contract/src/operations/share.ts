import Type from 'typebox'
import { operation } from '../operation.ts'
import { Image } from '../shapes/answers.ts'
import { Default, DoneWithId, Input, Open, Timestamp, Uuid } from '../shapes/primitives.ts'
import { ImageFormat, Profile, tileAddress } from '../shapes/rendering.ts'
import { ShareLink, SharePermission, ShareTargetType } from '../shapes/share-link.ts'
import { TileJson } from '../shapes/tilejson.ts'

/** What a visitor sends instead of a token of ours. */
const visit = {
  token: Type.String({ minLength: 1, maxLength: 500, description: 'The token of the link.' }),
  password: Default(Type.String({ maxLength: 1000 }), ''),
}

const visiting = ['not-found', 'forbidden', 'gone-expired', 'gone-retention'] as const

export const shareLinkCreate = operation({
  id: 'share.link.create',
  scope: 'shares:write',
  effect: 'export',
  summary: 'Share an item or a collection by a link with a password and an end.',
  input: Input({
    target_type: ShareTargetType,
    target_id: Uuid,
    permission: Default(SharePermission, 'view'),
    password: Type.String({ minLength: 8, maxLength: 1000, description: 'Stored hashed.' }),
    expires_at: Timestamp,
  }),
  output: Type.Object({ ...ShareLink.properties, url: Type.String() }),
  problems: ['not-found', 'not-a-member', 'gone-retention'],
})

export const shareLinkRevoke = operation({
  id: 'share.link.revoke',
  scope: 'shares:write',
  effect: 'destructive',
  summary: 'Revoke a link at once.',
  input: Input({ link_id: Uuid }),
  output: DoneWithId,
  problems: ['not-found', 'not-a-member'],
})

export const shareLinkValidate = operation({
  id: 'share.link.validate',
  scope: 'shares:read',
  effect: 'read',
  summary: 'Open a link with its password and read what it shows.',
  input: Input(visit),
  output: Type.Object({ permission: SharePermission, target_type: ShareTargetType, target: Open }),
  problems: visiting,
  public: true,
})

export const shareTileRender = operation({
  id: 'share.tile.render',
  scope: 'shares:read',
  effect: 'read',
  summary: 'Draw one tile of what a link shows, at the cost of its sharer.',
  input: Input({ ...visit, ...tileAddress, format: Default(ImageFormat, 'png'), profile: Profile }),
  output: Image,
  answer: 'bytes',
  problems: [...visiting, 'insufficient-credits', 'unsupported-raster', 'budget-exceeded'],
  public: true,
})

export const shareTilejson = operation({
  id: 'share.tilejson',
  scope: 'shares:read',
  effect: 'read',
  summary: 'Describe the tiles of what a link shows, as TileJSON 3.0.0.',
  input: Input({ ...visit, profile: Profile }),
  output: TileJson,
  problems: [...visiting, 'unsupported-raster'],
  public: true,
})
