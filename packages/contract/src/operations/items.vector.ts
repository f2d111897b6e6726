import Type from 'typebox'
import { operation } from '../operation.ts'
import { offsetPaging } from '../paging.ts'
import { Bytes } from '../schemas/response-bodies.ts'
import { Feature } from '../schemas/geojson.ts'
import { Bbox, Count, WithDescription, StrictObject, OptionalNullable, AnyObject, Uuid } from '../schemas/primitives.ts'
import { tileCoordinates } from '../schemas/rendering.ts'

const readProblems = ['not-found', 'not-a-member', 'gone-retention', 'unsupported-vector', 'budget-exceeded'] as const

const VectorAssetKey = OptionalNullable(
  Type.String({ maxLength: 200, description: 'Key of the asset; defaults to the first one with vector features.' }),
)

export const itemsFeaturesListOperation = operation({
  id: 'items.features.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the features of a vector item as GeoJSON in WGS 84, in file order.',
  media_type: 'application/geo+json',
  paging: 'offset',
  input: StrictObject({
    item_id: Uuid,
    asset_key: VectorAssetKey,
    bbox: WithDescription('Only features whose bounding box intersects this one.', OptionalNullable(Bbox)),
    properties: WithDescription(
      'Only features whose properties have these values, such as `{"kind": "field"}`.',
      OptionalNullable(AnyObject),
    ),
    ...offsetPaging(),
  }),
  output: Type.Object({
    type: Type.Literal('FeatureCollection'),
    features: Type.Array(Feature, { description: 'A page holds fewer features if it would exceed 8 MiB.' }),
    limit: Count,
    offset: Count,
    total: Type.Integer({ minimum: 0, description: 'Number of matching features on all pages.' }),
    numberMatched: Type.Integer({ minimum: 0, description: 'The same as `total`, by its OGC name.' }),
    numberReturned: Count,
  }),
  problems: readProblems,
  extension: true,
  implemented: true,
})

export const itemsTileVectorOperation = operation({
  id: 'items.tile.vector',
  scope: 'items:read',
  effect: 'read',
  summary: 'Render a vector tile (Mapbox Vector Tile 2.1) of a vector item; a tile without features is empty.',
  input: StrictObject({ item_id: Uuid, ...tileCoordinates, asset_key: VectorAssetKey }),
  output: Bytes(['application/vnd.mapbox-vector-tile']),
  response_kind: 'bytes',
  problems: readProblems,
  extension: true,
  implemented: true,
})
