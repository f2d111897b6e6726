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

/** The credentials of a visitor, instead of an access token. */
const visit = {
  token: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'The token of the link, with its password; or a token of `share.session.create`, without.',
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
  summary: 'Create a password-protected share link to an item or a collection, with an expiry.',
  input: Input({
    target_type: ShareTargetType,
    target_id: Uuid,
    permission: Default(SharePermission, 'view'),
    password: Type.String({ minLength: 8, maxLength: 1000, description: 'Stored hashed.' }),
    expires_at: Described(
      `At most ${limits.share_link_days} days ahead. A link that an API key created expires with the key, too.`,
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
  summary: 'Revoke a share link immediately, with its sessions and the signed URLs issued through it.',
  input: Input({ link_id: Uuid }),
  output: DoneWithId,
  problems: ['not-found', 'not-a-member'],
  answered: true,
})

export const shareLinkUpdate = operation({
  id: 'share.link.update',
  scope: 'shares:write',
  effect: 'compute',
  summary: 'Update the expiry, password, permission or limits of a share link; absent fields keep their values.',
  input: Input({
    link_id: Uuid,
    expires_at: Type.Optional(Described(`At most ${limits.share_link_days} days ahead.`, Timestamp)),
    permission: Type.Optional(SharePermission),
    password: Type.Optional(
      Type.String({ minLength: 8, maxLength: 1000, description: 'A new password; sessions with the old one end.' }),
    ),
    view_cap: Described('Maximum number of views of the link; null for no limit.', Maybe(Cap)),
    cost_cap_credits: Described('Maximum cost of the tiles of the link, in credits; null for no limit.', Maybe(Cap)),
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
  summary: 'Read a share link with its views, downloads and cost.',
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
  summary: 'List the share links of a project, an item or a collection, newest first.',
  input: Input({
    project_id: Type.Optional(Uuid),
    target_type: Type.Optional(ShareTargetType),
    target_id: Type.Optional(Uuid),
    active: Type.Optional(Type.Boolean({ description: 'Only active links, or only inactive ones.' })),
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
  summary: 'Open a share link with its password and read the shared resource.',
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
  summary: 'Exchange the password of a share link for a short-lived token, which may be used in URLs.',
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
  summary: 'List the items of a share link, newest first.',
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
  summary: 'Issue a signed URL for a file of a share link that permits downloads; it is valid for 15 minutes.',
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
  summary: 'Render a tile of a share link, charged to its organization; for a collection the newest item is on top.',
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
  summary: 'Read the TileJSON 3.0.0 of a share link; its tile URLs contain a session token.',
  input: Input({ ...visit, profile: Profile }),
  output: TileJson,
  problems: [...visiting, 'unsupported-raster'],
  public: true,
  answered: true,
})
