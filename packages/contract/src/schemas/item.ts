import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { Geometry } from './geojson.ts'
import { Bbox, WithDescription, Nullable, AnyObject, Timestamp, Uuid } from './primitives.ts'

export const itemTypes = [
  'satellite_capture',
  'derived_raster',
  'derived_vector',
  'clip',
  'user_raster',
  'user_vector',
  'external_reference',
] as const

export const lifecycleStates = ['active', 'expiring', 'archived', 'expired', 'deleted'] as const

export const ItemType = Type.Enum([...itemTypes])
export const LifecycleState = Type.Enum([...lifecycleStates])

export const ItemName = Type.String({ minLength: 1, maxLength: 500 })
export const CloudCoverPercent = Type.Number({ minimum: 0, maximum: 100, description: 'Cloud cover in percent.' })
export const GroundSamplingDistance = Type.Number({ minimum: 0, description: 'Ground sampling distance in metres.' })
export const LongTextField = Type.String({ maxLength: limits.max_text_length })

/** A scene, raster or vector dataset of a project as a flat object; `items.get_stac` returns it as a STAC Item. */
export const Item = Type.Object({
  id: Uuid,
  project_id: Uuid,
  collection_id: Nullable(Uuid),
  stac_id: Type.String(),
  type: ItemType,
  geometry: Nullable(Geometry),
  bbox: Nullable(Bbox),
  datetime: Nullable(Timestamp),
  start_datetime: Nullable(Timestamp),
  end_datetime: Nullable(Timestamp),
  cloud_cover: Nullable(Type.Number({ description: 'Cloud cover in percent.' })),
  gsd: Nullable(Type.Number({ description: 'Ground sampling distance in metres.' })),
  name: Type.String(),
  description: Nullable(Type.String()),
  properties: AnyObject,
  stac_extensions: Type.Array(Type.String()),
  lifecycle_state: LifecycleState,
  expires_at: Nullable(Timestamp),
  archived_at: Nullable(Timestamp),
  previous_version_id: Nullable(Uuid),
  duplicated_from_id: Nullable(Uuid),
  order_id: Nullable(Uuid),
  upload_id: Nullable(Uuid),
  job_id: Nullable(Uuid),
  deleted_at: Nullable(Timestamp),
  created_by: WithDescription('The principal that created it.', Nullable(Type.String())),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export type ItemType = Static<typeof ItemType>
export type LifecycleState = Static<typeof LifecycleState>
export type Item = Static<typeof Item>
