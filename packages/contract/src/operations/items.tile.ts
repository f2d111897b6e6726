import Type from 'typebox'
import { operation } from '../operation.ts'
import { Bytes, Image } from '../shapes/answers.ts'
import { BaseUrl, Default, Input, Uuid } from '../shapes/primitives.ts'
import {
  approximate,
  AssetKey,
  BandStatistics,
  drawing,
  ImageFormat,
  Profile,
  Quality,
  tileAddress,
  TileScale,
} from '../shapes/rendering.ts'
import { TileJson } from '../shapes/tilejson.ts'

const describes = ['not-found', 'not-a-member', 'gone-retention', 'unsupported-raster', 'budget-exceeded'] as const

/** `forbidden`, `upstream`: the file is on a server that is not permitted, or that failed. */
const readsPixels = [...describes, 'forbidden', 'upstream'] as const

export const itemsTileRender = operation({
  id: 'items.tile.render',
  scope: 'items:read',
  effect: 'read',
  summary: 'Render a tile of an item; pixels outside the image are transparent.',
  input: Input({
    item_id: Uuid,
    ...tileAddress,
    format: Default(ImageFormat, 'webp'),
    profile: Profile,
    asset_key: AssetKey,
    ...drawing,
    quality: Quality(82),
    scale: TileScale,
  }),
  output: Image,
  answer: 'bytes',
  problems: readsPixels,
  answered: true,
})

export const itemsTileStatistics = operation({
  id: 'items.tile.statistics',
  scope: 'items:read',
  effect: 'read',
  summary: 'Compute the statistics of an expression over an item.',
  input: Input({
    item_id: Uuid,
    expression: Type.String({ minLength: 1, maxLength: 2000 }),
    asset_key: AssetKey,
    profile: Profile,
  }),
  output: Type.Object({ expression: Type.String(), statistics: BandStatistics, approximate }),
  problems: readsPixels,
  answered: true,
})

export const itemsTileTilejson = operation({
  id: 'items.tile.tilejson',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the TileJSON 3.0.0 of an item.',
  input: Input({
    item_id: Uuid,
    profile: Profile,
    asset_key: AssetKey,
    format: Default(ImageFormat, 'webp'),
    key: Default(Type.String({ maxLength: 4000, description: 'A tile token to add to the tile URLs.' }), ''),
  }),
  output: TileJson,
  problems: describes,
  answered: true,
})

export const itemsTileWmtsCapabilities = operation({
  id: 'items.tile.wmts_capabilities',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the WMTS 1.0.0 capabilities of an item, with key and profile in the GetTile URLs.',
  input: Input({
    item_id: Uuid,
    base_url: BaseUrl,
    key: Default(Type.String({ maxLength: 4000, description: 'A tile token to add to the GetTile URLs.' }), ''),
    profile: Profile,
    asset_key: AssetKey,
  }),
  output: Bytes(['application/xml']),
  answer: 'bytes',
  problems: describes,
  answered: true,
})

export const itemsTileWmtsGetTile = operation({
  id: 'items.tile.wmts_get_tile',
  scope: 'items:read',
  effect: 'read',
  summary: 'Render a tile for a WMTS client; if rendering fails the tile is transparent.',
  input: Input({
    item_id: Uuid,
    ...tileAddress,
    profile: Profile,
    asset_key: AssetKey,
    format: Default(ImageFormat, 'png'),
  }),
  output: Image,
  answer: 'bytes',
  problems: ['not-found', 'not-a-member', 'gone-retention'],
  answered: true,
})
