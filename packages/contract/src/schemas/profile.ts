import Type, { type Static } from 'typebox'
import { Nullable, AnyObject, Timestamp, Uuid } from './primitives.ts'

export const VisualizationProfileLayer = Type.Enum(['sensor', 'auto', 'user'])
export const VisualizationProfileType = Type.Enum(['rgb', 'singleband', 'multiband', 'expression'])

/** A saved visualization of an item; `config` holds the rendering parameters. */
export const VisualizationProfile = Type.Object({
  id: Uuid,
  item_id: Uuid,
  name: Type.String(),
  layer: VisualizationProfileLayer,
  type: VisualizationProfileType,
  is_default: Type.Boolean(),
  sort_order: Type.Integer(),
  config: AnyObject,
  asset_key: Nullable(Type.String()),
  version: Type.Integer({ minimum: 1 }),
  created_by: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** A visualization of bands by their roles. */
export const Visualization = Type.Object({
  id: Type.String(),
  label: Type.String(),
  kind: Type.Enum(['rgb', 'index', 'elevation', 'raw']),
  asset: Nullable(Type.String()),
  bands: Nullable(Type.Array(Type.Integer())),
  expression: Nullable(Type.String()),
  colormap: Nullable(Type.String()),
  rescale: Nullable(Type.String()),
  is_default: Type.Boolean(),
  category: Nullable(Type.String()),
  description: Type.String(),
})

export type VisualizationProfile = Static<typeof VisualizationProfile>
export type Visualization = Static<typeof Visualization>
