import { operation } from '../operation.ts'
import { ListEnvelopeWithNextOffset, offsetPaging } from '../paging.ts'
import { shareVisitorProblems } from '../problems.ts'
import { AssetDownload } from '../schemas/asset.ts'
import { StrictObject, Uuid, WithDefault, WithDescription, OptionalNullable } from '../schemas/primitives.ts'
import { ImageFormat, VisualizationProfileReference, tileCoordinateFields } from '../schemas/rendering.ts'
import { ImageBytesBody } from '../schemas/response-bodies.ts'
import { ShareSession, shareVisitorCredentialFields, SharedItem } from '../schemas/share-link.ts'
import { TileJson } from '../schemas/tilejson.ts'

export const shareSessionCreateOperation = operation({
  id: 'share.session.create',
  scope: 'shares:read',
  effect: 'export',
  summary: 'Exchange the password of a share link for a short-lived token, which may be used in URLs.',
  input: StrictObject(shareVisitorCredentialFields),
  output: ShareSession,
  problems: shareVisitorProblems,
  public: true,
  extension: true,
})

export const shareItemsListOperation = operation({
  id: 'share.items.list',
  scope: 'shares:read',
  effect: 'read',
  summary: 'List the items of a share link, newest first.',
  input: StrictObject({ ...shareVisitorCredentialFields, ...offsetPaging() }),
  output: ListEnvelopeWithNextOffset('items', SharedItem),
  paging: 'offset',
  problems: shareVisitorProblems,
  public: true,
  extension: true,
})

export const shareAssetDownloadOperation = operation({
  id: 'share.asset.download',
  scope: 'shares:read',
  effect: 'export',
  summary: 'Issue a signed URL for a file of a share link that permits downloads; it is valid for 15 minutes.',
  input: StrictObject({ ...shareVisitorCredentialFields, item_id: Uuid, asset_id: Uuid }),
  output: AssetDownload,
  problems: [...shareVisitorProblems, 'invalid-state', 'download-cap', 'bandwidth-breaker'],
  public: true,
  extension: true,
})

export const shareTileRenderOperation = operation({
  id: 'share.tile.render',
  scope: 'shares:read',
  effect: 'read',
  summary: 'Render a tile of a share link, charged to its organization; for a collection the newest item is on top.',
  input: StrictObject({
    ...shareVisitorCredentialFields,
    ...tileCoordinateFields,
    format: WithDefault(ImageFormat, 'png'),
    profile: VisualizationProfileReference,
    item_id: WithDescription('Only this item of the collection.', OptionalNullable(Uuid)),
  }),
  output: ImageBytesBody,
  response_kind: 'bytes',
  problems: [...shareVisitorProblems, 'insufficient-credits', 'unsupported-raster', 'budget-exceeded', 'upstream'],
  public: true,
})

export const shareTilejsonOperation = operation({
  id: 'share.tilejson',
  scope: 'shares:read',
  effect: 'read',
  summary: 'Read the TileJSON 3.0.0 of a share link; its tile URLs contain a session token.',
  input: StrictObject({ ...shareVisitorCredentialFields, profile: VisualizationProfileReference }),
  output: TileJson,
  problems: [...shareVisitorProblems, 'unsupported-raster'],
  public: true,
})
