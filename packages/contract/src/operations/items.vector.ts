import Type from 'typebox'
import { operation } from '../operation.ts'
import { offsetPaging } from '../paging.ts'
import { Bytes } from '../shapes/answers.ts'
import { Feature } from '../shapes/geojson.ts'
import { Bbox, Count, Described, Input, Maybe, Open, Uuid } from '../shapes/primitives.ts'
import { tileAddress } from '../shapes/rendering.ts'

const reading = ['not-found', 'not-a-member', 'gone-retention', 'unsupported-vector', 'budget-exceeded'] as const

const VectorAssetKey = Maybe(
  Type.String({ maxLength: 200, description: 'Which asset of the item; without it the first one with features.' }),
)

export const itemsFeaturesList = operation({
  id: 'items.features.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the features of a vector item as GeoJSON in WGS 84, in the order of their file.',
  media_type: 'application/geo+json',
  paging: 'offset',
  input: Input({
    item_id: Uuid,
    asset_key: VectorAssetKey,
    bbox: Described('Only features whose own box touches this one.', Maybe(Bbox)),
    properties: Described(
      'Only features whose properties have these values, such as `{"kind": "field"}`.',
      Maybe(Open),
    ),
    ...offsetPaging(),
  }),
  output: Type.Object({
    type: Type.Literal('FeatureCollection'),
    features: Type.Array(Feature, { description: 'A page ends early where it would be larger than 8 MiB.' }),
    limit: Count,
    offset: Count,
    total: Type.Integer({ minimum: 0, description: 'How many features fit on all pages.' }),
    numberMatched: Type.Integer({ minimum: 0, description: 'The same, by the name that OGC gives it.' }),
    numberReturned: Count,
  }),
  problems: reading,
  extension: true,
  answered: true,
})

export const itemsTileVector = operation({
  id: 'items.tile.vector',
  scope: 'items:read',
  effect: 'read',
  summary:
    'Cut one vector tile (Mapbox Vector Tile 2.1) of a vector item; where there are no features it has no bytes.',
  input: Input({ item_id: Uuid, ...tileAddress, asset_key: VectorAssetKey }),
  output: Bytes(['application/vnd.mapbox-vector-tile']),
  answer: 'bytes',
  problems: reading,
  extension: true,
  answered: true,
})
