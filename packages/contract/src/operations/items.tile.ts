import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import { vectorReadProblems } from '../problems.ts'
import { VectorAssetKey } from '../schemas/asset.ts'
import {
  WithDefault,
  StrictObject,
  Uuid,
  BaseUrl,
  Nullable,
  WithDescription,
  OptionalNullable,
  OkResultWithId,
} from '../schemas/primitives.ts'
import {
  AssetKey,
  renderParameterFields,
  ImageFormat,
  VisualizationProfileReference,
  WithImageQualityDefault,
  tileCoordinateFields,
  TileScale,
  approximateField,
  BandStatistics,
  latitudeField,
  longitudeField,
  bandFieldsOfValue,
  pixelReadProblems,
  ImageDimension,
} from '../schemas/rendering.ts'
import { ImageBytesBody, BytesBody } from '../schemas/response-bodies.ts'
import { NewTileToken, TileToken } from '../schemas/tile-token.ts'
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
    ...tileCoordinateFields,
    format: WithDefault(ImageFormat, 'webp'),
    profile: VisualizationProfileReference,
    asset_key: AssetKey,
    ...renderParameterFields,
    quality: WithImageQualityDefault(82),
    scale: TileScale,
  }),
  output: ImageBytesBody,
  response_kind: 'bytes',
  problems: renderProblems,
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
    profile: VisualizationProfileReference,
  }),
  output: Type.Object({ expression: Type.String(), statistics: BandStatistics, approximate: approximateField }),
  problems: renderProblems,
})

export const itemsTileTilejsonOperation = operation({
  id: 'items.tile.tilejson',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the TileJSON 3.0.0 of an item.',
  input: StrictObject({
    item_id: Uuid,
    profile: VisualizationProfileReference,
    asset_key: AssetKey,
    format: WithDefault(ImageFormat, 'webp'),
    key: WithDefault(Type.String({ maxLength: 4000, description: 'A tile token to add to the tile URLs.' }), ''),
  }),
  output: TileJson,
  problems: metadataProblems,
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
    profile: VisualizationProfileReference,
    asset_key: AssetKey,
  }),
  output: BytesBody(['application/xml']),
  response_kind: 'bytes',
  problems: metadataProblems,
})

export const itemsTileWmtsGetTileOperation = operation({
  id: 'items.tile.wmts_get_tile',
  scope: 'items:read',
  effect: 'read',
  summary: 'Render a tile for a WMTS client; if rendering fails the tile is transparent.',
  input: StrictObject({
    item_id: Uuid,
    ...tileCoordinateFields,
    profile: VisualizationProfileReference,
    asset_key: AssetKey,
    format: WithDefault(ImageFormat, 'png'),
  }),
  output: ImageBytesBody,
  response_kind: 'bytes',
  problems: ['not-found', 'not-a-member', 'gone-retention'],
})

export const itemsTileVectorOperation = operation({
  id: 'items.tile.vector',
  scope: 'items:read',
  effect: 'read',
  summary: 'Render a vector tile (Mapbox Vector Tile 2.1) of a vector item; a tile without features is empty.',
  input: StrictObject({ item_id: Uuid, ...tileCoordinateFields, asset_key: VectorAssetKey }),
  output: BytesBody(['application/vnd.mapbox-vector-tile']),
  response_kind: 'bytes',
  problems: vectorReadProblems,
  extension: true,
})

/** The values to read: an expression, bands, or those of a profile; defaults to every band. */
const bandSelection = {
  profile: VisualizationProfileReference,
  asset_key: AssetKey,
  expression: renderParameterFields.expression,
  bands: renderParameterFields.bands,
}

export const itemsTilePointOperation = operation({
  id: 'items.tile.point',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the pixel values of an item at a position, of every band or of an expression.',
  input: StrictObject({
    item_id: Uuid,
    lon: longitudeField,
    lat: latitudeField,
    ...bandSelection,
    scaled: WithDefault(Type.Boolean({ description: 'Apply the scale and offset of the bands.' }), false),
  }),
  output: Type.Object({
    lon: Type.Number(),
    lat: Type.Number(),
    values: Type.Array(
      Type.Object({
        ...bandFieldsOfValue,
        value: Nullable(Type.Number({ description: 'Null if the pixel has no data.' })),
        unit: Nullable(Type.String({ description: 'Unit of the scaled value, if the file has it.' })),
      }),
    ),
  }),
  problems: pixelReadProblems,
  extension: true,
})

/** Longitude and latitude of each vertex. */
const LineCoordinates = Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
  minItems: 2,
  maxItems: 100,
  description: 'Longitude and latitude of each vertex of the line.',
})

export const itemsTileLineOperation = operation({
  id: 'items.tile.line',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the pixel values of an item along a line, of every band or of an expression.',
  input: StrictObject({
    item_id: Uuid,
    coordinates: LineCoordinates,
    samples: WithDefault(
      Type.Integer({ minimum: 2, maximum: 256, description: 'Number of positions, at equal distances.' }),
      128,
    ),
    ...bandSelection,
    scaled: WithDefault(Type.Boolean({ description: 'Apply the scale and offset of the bands.' }), false),
  }),
  output: Type.Object({
    length_m: Type.Number({ description: 'Length of the line on the ellipsoid.' }),
    positions: Type.Array(Type.Object({ lon: Type.Number(), lat: Type.Number(), distance_m: Type.Number() }), {
      description: 'Positions with their distance from the start.',
    }),
    values: Type.Array(
      Type.Object({
        ...bandFieldsOfValue,
        unit: Nullable(Type.String({ description: 'Unit of the scaled values, if the file has it.' })),
        values: Type.Array(Nullable(Type.Number()), {
          description: 'The value at each position; null outside the image and without data.',
        }),
      }),
    ),
  }),
  problems: pixelReadProblems,
  extension: true,
})

export const itemsTilePreviewOperation = operation({
  id: 'items.tile.preview',
  scope: 'items:read',
  effect: 'read',
  summary: 'Render a preview image of an item in its own projection.',
  input: StrictObject({
    item_id: Uuid,
    width: WithDefault(ImageDimension, 512),
    height: WithDefault(ImageDimension, 512),
    format: WithDefault(ImageFormat, 'png'),
    profile: VisualizationProfileReference,
    asset_key: AssetKey,
    ...renderParameterFields,
    quality: WithImageQualityDefault(85),
  }),
  output: ImageBytesBody,
  response_kind: 'bytes',
  problems: pixelReadProblems,
  extension: true,
})

export const itemsTileHistogramOperation = operation({
  id: 'items.tile.histogram',
  scope: 'items:read',
  effect: 'read',
  summary: 'Compute histograms of an item, of every band or of an expression.',
  input: StrictObject({
    item_id: Uuid,
    ...bandSelection,
    bins: WithDefault(Type.Integer({ minimum: 1, maximum: 1024, description: 'Number of bins of equal width.' }), 256),
    range: WithDescription(
      'Lower and upper edge; defaults to the minimum and maximum value.',
      Type.Optional(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })),
    ),
  }),
  output: Type.Object({
    histograms: Type.Array(
      Type.Object({
        ...bandFieldsOfValue,
        counts: Type.Array(Type.Integer({ minimum: 0 })),
        edges: Type.Array(Type.Number({ description: 'Bin edges; one more than counts.' })),
      }),
    ),
    approximate: approximateField,
  }),
  problems: pixelReadProblems,
  extension: true,
})

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
})

export const itemsTileTokenListOperation = operation({
  id: 'items.tile.token.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the valid tile tokens of an item or collection, or all of the caller, newest first, without secrets.',
  input: StrictObject(targetFields),
  output: ListEnvelope('tokens', TileToken),
  problems: ['not-found', 'not-a-member', 'gone-retention'],
  extension: true,
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
})
