import Type, { type Static } from 'typebox'
import { Count, Nullable, Timestamp, Uuid } from './primitives.ts'

/** A folder of items in a project; not a host's product, which is a glossary collection. */
export const Collection = Type.Object({
  id: Uuid,
  project_id: Uuid,
  name: Type.String(),
  description: Nullable(Type.String()),
  color: Nullable(Type.String()),
  show_on_map: Type.Boolean(),
  layer_order: Type.Integer(),
  auto_created: Type.Boolean({ description: 'Made by the platform, for example for the delivery of an order.' }),
  source_type: Nullable(Type.String({ description: 'What it was made for, such as `order`.' })),
  source_id: Nullable(Type.String()),
  item_count: Count,
  deleted_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export type Collection = Static<typeof Collection>
