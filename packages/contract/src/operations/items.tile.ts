import Type from 'typebox'
import { operation } from '../operation.ts'
import { Bytes, ImageBytes } from '../schemas/response-bodies.ts'
import { BaseUrl, WithDefault, StrictObject, Uuid } from '../schemas/primitives.ts'
import {
  approximate,
  AssetKey,
  BandStatistics,
  renderParameters,
  ImageFormat,
  ProfileReference,
  Quality,
  tileCoordinates,
  TileScale,
} from '../schemas/rendering.ts'
import { TileJson } from '../schemas/tilejson.ts'

const metadataProblems = [
  'not-found',
  'not-a-member',
  'gone-retention',
  'unsupported-raster',
  'budget-exceeded',
] as const

/** `forbidden`, `upstream`: the file is on a server that is not permitted, or that failed. */
const renderProblems = [...metadataProblems, 'forbidden', 'upstream'] as const

export const itemsTileRenderOperation = operation({
  id: 'items.tile.render',
  scope: 'items:read',
  effect: 'read',
  summary: 'Render a tile of an item; pixels outside the image are transparent.',
  input: StrictObject({
    item_id: Uuid,
    ...tileCoordinates,
    format: WithDefault(ImageFormat, 'webp'),
    profile: ProfileReference,
    asset_key: AssetKey,
    ...renderParameters,
    quality: Quality(82),
    scale: TileScale,
  }),
  output: ImageBytes,
  response_kind: 'bytes',
  problems: renderProblems,
  implemented: true,
})

export const itemsTileStatisticsOperation = operation({
  id: 'items.tile.statistics',
  scope: 'items:read',
  effect: 'read',
  summary: 'Compute the statistics of an expression over an item.',
  body_limit_bytes: null,
  input: StrictObject({
    item_id: Uuid,
    expression: Type.String({ minLength: 1, maxLength: 2000 }),
    asset_key: AssetKey,
    profile: ProfileReference,
  }),
  output: Type.Object({ expression: Type.String(), statistics: BandStatistics, approximate }),
  problems: renderProblems,
  implemented: true,
})

export const itemsTileTilejsonOperation = operation({
  id: 'items.tile.tilejson',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the TileJSON 3.0.0 of an item.',
  input: StrictObject({
    item_id: Uuid,
    profile: ProfileReference,
    asset_key: AssetKey,
    format: WithDefault(ImageFormat, 'webp'),
    key: WithDefault(Type.String({ maxLength: 4000, description: 'A tile token to add to the tile URLs.' }), ''),
  }),
  output: TileJson,
  problems: metadataProblems,
  implemented: true,
})

export const itemsTileWmtsCapabilitiesOperation = operation({
  id: 'items.tile.wmts_capabilities',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the WMTS 1.0.0 capabilities of an item, with key and profile in the GetTile URLs.',
  input: StrictObject({
    item_id: Uuid,
    base_url: BaseUrl,
    key: WithDefault(Type.String({ maxLength: 4000, description: 'A tile token to add to the GetTile URLs.' }), ''),
    profile: ProfileReference,
    asset_key: AssetKey,
  }),
  output: Bytes(['application/xml']),
  response_kind: 'bytes',
  problems: metadataProblems,
  implemented: true,
})

export const itemsTileWmtsGetTileOperation = operation({
  id: 'items.tile.wmts_get_tile',
  scope: 'items:read',
  effect: 'read',
  summary: 'Render a tile for a WMTS client; if rendering fails the tile is transparent.',
  input: StrictObject({
    item_id: Uuid,
    ...tileCoordinates,
    profile: ProfileReference,
    asset_key: AssetKey,
    format: WithDefault(ImageFormat, 'png'),
  }),
  output: ImageBytes,
  response_kind: 'bytes',
  problems: ['not-found', 'not-a-member', 'gone-retention'],
  implemented: true,
})
