import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { LargeList, List, offsetPaging } from '../paging.ts'
import { Image } from '../shapes/answers.ts'
import { AssetDownload } from '../shapes/asset.ts'
import { Default, Described, DoneWithId, Input, Maybe, Open, Timestamp, Uuid } from '../shapes/primitives.ts'
import { ImageFormat, Profile, tileAddress } from '../shapes/rendering.ts'
import {
  SharedItem,
  SharedLink,
  ShareLink,
  SharePermission,
  ShareSession,
  ShareTargetType,
} from '../shapes/share-link.ts'
import { TileJson } from '../shapes/tilejson.ts'

/** What a visitor sends instead of a token of ours. */
const visit = {
  token: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'The token of the link with its password, or one of `share.session.create` without.',
  }),
  password: Default(Type.String({ maxLength: 1000 }), ''),
}

const visiting = ['not-found', 'forbidden', 'gone-expired', 'gone-retention', 'past-due', 'quota-exceeded'] as const
const linking = ['not-found', 'not-a-member', 'invalid-state'] as const

const Cap = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })

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
    expires_at: Described(
      `At most ${limits.share_link_days} days ahead. A link that an API key made ends with the key, too.`,
      Timestamp,
    ),
  }),
  output: Type.Object({ ...ShareLink.properties, url: Type.String() }),
  problems: [...linking, 'gone-retention'],
  answered: true,
})

export const shareLinkRevoke = operation({
  id: 'share.link.revoke',
  scope: 'shares:write',
  effect: 'destructive',
  summary: 'Revoke a link at once, with its sessions and the addresses that were given out through it.',
  input: Input({ link_id: Uuid }),
  output: DoneWithId,
  problems: ['not-found', 'not-a-member'],
  answered: true,
})

export const shareLinkUpdate = operation({
  id: 'share.link.update',
  scope: 'shares:write',
  effect: 'compute',
  summary: 'Change the end, password, permission or caps of a link; fields that are left out stay as they are.',
  input: Input({
    link_id: Uuid,
    expires_at: Type.Optional(Described(`At most ${limits.share_link_days} days ahead.`, Timestamp)),
    permission: Type.Optional(SharePermission),
    password: Type.Optional(
      Type.String({ minLength: 8, maxLength: 1000, description: 'A new one; sessions of the old one end.' }),
    ),
    view_cap: Described('Openings after which the link opens no more; null for none.', Maybe(Cap)),
    cost_cap_credits: Described('Credits that the tiles of the link may cost; null for no cap.', Maybe(Cap)),
  }),
  output: Type.Object({ link: SharedLink }),
  problems: [...linking, 'user-required'],
  extension: true,
  answered: true,
})

export const shareLinkGet = operation({
  id: 'share.link.get',
  scope: 'shares:read',
  effect: 'read',
  summary: 'Read a link with what its visitors have seen, fetched and cost.',
  input: Input({ link_id: Uuid }),
  output: Type.Object({ link: SharedLink }),
  problems: ['not-found', 'not-a-member'],
  extension: true,
  answered: true,
})

export const shareLinkList = operation({
  id: 'share.link.list',
  scope: 'shares:read',
  effect: 'read',
  summary: 'List the links of a project, or of what is named, newest first.',
  input: Input({
    project_id: Type.Optional(Uuid),
    target_type: Type.Optional(ShareTargetType),
    target_id: Type.Optional(Uuid),
    active: Type.Optional(Type.Boolean({ description: 'Only links that open, or only those that do not.' })),
    ...offsetPaging(),
  }),
  output: List('links', SharedLink),
  paging: 'offset',
  problems: ['not-found', 'not-a-member'],
  extension: true,
  answered: true,
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
  answered: true,
})

export const shareSessionCreate = operation({
  id: 'share.session.create',
  scope: 'shares:read',
  effect: 'export',
  summary: 'Exchange the password of a link for a short token, which stands in addresses where a password may not.',
  input: Input(visit),
  output: ShareSession,
  problems: visiting,
  public: true,
  extension: true,
  answered: true,
})

export const shareItemsList = operation({
  id: 'share.items.list',
  scope: 'shares:read',
  effect: 'read',
  summary: 'List the items that a link shows, newest first.',
  input: Input({ ...visit, ...offsetPaging() }),
  output: LargeList('items', SharedItem),
  paging: 'offset',
  problems: visiting,
  public: true,
  extension: true,
  answered: true,
})

export const shareAssetDownload = operation({
  id: 'share.asset.download',
  scope: 'shares:read',
  effect: 'export',
  summary: 'Mint a signed address for a file behind a link that allows downloads; it lives 15 minutes.',
  input: Input({ ...visit, item_id: Uuid, asset_id: Uuid }),
  output: AssetDownload,
  problems: [...visiting, 'invalid-state', 'download-cap', 'bandwidth-breaker'],
  public: true,
  extension: true,
  answered: true,
})

export const shareTileRender = operation({
  id: 'share.tile.render',
  scope: 'shares:read',
  effect: 'read',
  summary: 'Draw one tile of what a link shows, at the cost of its sharer; a collection newest first.',
  input: Input({ ...visit, ...tileAddress, format: Default(ImageFormat, 'png'), profile: Profile }),
  output: Image,
  answer: 'bytes',
  problems: [...visiting, 'insufficient-credits', 'unsupported-raster', 'budget-exceeded', 'upstream'],
  public: true,
  answered: true,
})

export const shareTilejson = operation({
  id: 'share.tilejson',
  scope: 'shares:read',
  effect: 'read',
  summary: 'Describe the tiles of what a link shows, as TileJSON 3.0.0; their addresses hold a session.',
  input: Input({ ...visit, profile: Profile }),
  output: TileJson,
  problems: [...visiting, 'unsupported-raster'],
  public: true,
  answered: true,
})
