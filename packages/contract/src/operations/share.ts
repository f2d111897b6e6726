import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListWithNextOffset, List, offsetPaging } from '../paging.ts'
import { ImageBytes } from '../schemas/response-bodies.ts'
import { AssetDownload } from '../schemas/asset.ts'
import {
  WithDefault,
  WithDescription,
  OkResultWithId,
  StrictObject,
  OptionalNullable,
  AnyObject,
  Timestamp,
  Uuid,
} from '../schemas/primitives.ts'
import { ImageFormat, ProfileReference, tileCoordinates } from '../schemas/rendering.ts'
import {
  SharedItem,
  ShareLinkDetails,
  ShareLink,
  SharePermission,
  ShareSession,
  ShareTargetType,
} from '../schemas/share-link.ts'
import { TileJson } from '../schemas/tilejson.ts'

/** The credentials of a visitor, instead of an access token. */
const visitorCredentials = {
  token: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'The token of the link, with its password; or a token of `share.session.create`, without.',
  }),
  password: WithDefault(Type.String({ maxLength: 1000 }), ''),
}

const visitorProblems = [
  'not-found',
  'forbidden',
  'gone-expired',
  'gone-retention',
  'past-due',
  'quota-exceeded',
] as const
const linkProblems = ['not-found', 'not-a-member', 'invalid-state'] as const

const UsageLimit = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })

export const shareLinkCreateOperation = operation({
  id: 'share.link.create',
  scope: 'shares:write',
  effect: 'export',
  summary: 'Create a password-protected share link to an item or a collection, with an expiry.',
  input: StrictObject({
    target_type: ShareTargetType,
    target_id: Uuid,
    permission: WithDefault(SharePermission, 'view'),
    password: Type.String({ minLength: 8, maxLength: 1000, description: 'Stored hashed.' }),
    expires_at: WithDescription(
      `At most ${limits.max_share_link_days} days ahead. A link that an API key created expires with the key, too.`,
      Timestamp,
    ),
  }),
  output: Type.Object({ ...ShareLink.properties, url: Type.String() }),
  problems: [...linkProblems, 'gone-retention'],
  implemented: true,
})

export const shareLinkRevokeOperation = operation({
  id: 'share.link.revoke',
  scope: 'shares:write',
  effect: 'destructive',
  summary: 'Revoke a share link immediately, with its sessions and the signed URLs issued through it.',
  input: StrictObject({ link_id: Uuid }),
  output: OkResultWithId,
  problems: ['not-found', 'not-a-member'],
  implemented: true,
})

export const shareLinkUpdateOperation = operation({
  id: 'share.link.update',
  scope: 'shares:write',
  effect: 'compute',
  summary: 'Update the expiry, password, permission or limits of a share link; absent fields keep their values.',
  input: StrictObject({
    link_id: Uuid,
    expires_at: Type.Optional(WithDescription(`At most ${limits.max_share_link_days} days ahead.`, Timestamp)),
    permission: Type.Optional(SharePermission),
    password: Type.Optional(
      Type.String({ minLength: 8, maxLength: 1000, description: 'A new password; sessions with the old one end.' }),
    ),
    view_cap: WithDescription('Maximum number of views of the link; null for no limit.', OptionalNullable(UsageLimit)),
    cost_cap_credits: WithDescription(
      'Maximum cost of the tiles of the link, in credits; null for no limit.',
      OptionalNullable(UsageLimit),
    ),
  }),
  output: Type.Object({ link: ShareLinkDetails }),
  problems: [...linkProblems, 'user-required'],
  extension: true,
  implemented: true,
})

export const shareLinkGetOperation = operation({
  id: 'share.link.get',
  scope: 'shares:read',
  effect: 'read',
  summary: 'Read a share link with its views, downloads and cost.',
  input: StrictObject({ link_id: Uuid }),
  output: Type.Object({ link: ShareLinkDetails }),
  problems: ['not-found', 'not-a-member'],
  extension: true,
  implemented: true,
})

export const shareLinkListOperation = operation({
  id: 'share.link.list',
  scope: 'shares:read',
  effect: 'read',
  summary: 'List the share links of a project, an item or a collection, newest first.',
  input: StrictObject({
    project_id: Type.Optional(Uuid),
    target_type: Type.Optional(ShareTargetType),
    target_id: Type.Optional(Uuid),
    active: Type.Optional(Type.Boolean({ description: 'Only active links, or only inactive ones.' })),
    ...offsetPaging(),
  }),
  output: List('links', ShareLinkDetails),
  paging: 'offset',
  problems: ['not-found', 'not-a-member'],
  extension: true,
  implemented: true,
})

export const shareLinkValidateOperation = operation({
  id: 'share.link.validate',
  scope: 'shares:read',
  effect: 'read',
  summary: 'Open a share link with its password and read the shared resource.',
  input: StrictObject(visitorCredentials),
  output: Type.Object({ permission: SharePermission, target_type: ShareTargetType, target: AnyObject }),
  problems: visitorProblems,
  public: true,
  implemented: true,
})

export const shareSessionCreateOperation = operation({
  id: 'share.session.create',
  scope: 'shares:read',
  effect: 'export',
  summary: 'Exchange the password of a share link for a short-lived token, which may be used in URLs.',
  input: StrictObject(visitorCredentials),
  output: ShareSession,
  problems: visitorProblems,
  public: true,
  extension: true,
  implemented: true,
})

export const shareItemsListOperation = operation({
  id: 'share.items.list',
  scope: 'shares:read',
  effect: 'read',
  summary: 'List the items of a share link, newest first.',
  input: StrictObject({ ...visitorCredentials, ...offsetPaging() }),
  output: ListWithNextOffset('items', SharedItem),
  paging: 'offset',
  problems: visitorProblems,
  public: true,
  extension: true,
  implemented: true,
})

export const shareAssetDownloadOperation = operation({
  id: 'share.asset.download',
  scope: 'shares:read',
  effect: 'export',
  summary: 'Issue a signed URL for a file of a share link that permits downloads; it is valid for 15 minutes.',
  input: StrictObject({ ...visitorCredentials, item_id: Uuid, asset_id: Uuid }),
  output: AssetDownload,
  problems: [...visitorProblems, 'invalid-state', 'download-cap', 'bandwidth-breaker'],
  public: true,
  extension: true,
  implemented: true,
})

export const shareTileRenderOperation = operation({
  id: 'share.tile.render',
  scope: 'shares:read',
  effect: 'read',
  summary: 'Render a tile of a share link, charged to its organization; for a collection the newest item is on top.',
  input: StrictObject({
    ...visitorCredentials,
    ...tileCoordinates,
    format: WithDefault(ImageFormat, 'png'),
    profile: ProfileReference,
    item_id: WithDescription('Only this item of the collection.', OptionalNullable(Uuid)),
  }),
  output: ImageBytes,
  response_kind: 'bytes',
  problems: [...visitorProblems, 'insufficient-credits', 'unsupported-raster', 'budget-exceeded', 'upstream'],
  public: true,
  implemented: true,
})

export const shareTilejsonOperation = operation({
  id: 'share.tilejson',
  scope: 'shares:read',
  effect: 'read',
  summary: 'Read the TileJSON 3.0.0 of a share link; its tile URLs contain a session token.',
  input: StrictObject({ ...visitorCredentials, profile: ProfileReference }),
  output: TileJson,
  problems: [...visitorProblems, 'unsupported-raster'],
  public: true,
  implemented: true,
})
