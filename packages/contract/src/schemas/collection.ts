import Type, { type Static } from 'typebox'
import { Count, Nullable, Timestamp, Uuid } from './primitives.ts'

/** A collection of items in a project; the product of a host is a glossary collection. */
export const Collection = Type.Object({
  id: Uuid,
  project_id: Uuid,
  name: Type.String(),
  description: Nullable(Type.String()),
  color: Nullable(Type.String()),
  show_on_map: Type.Boolean(),
  layer_order: Type.Integer(),
  auto_created: Type.Boolean({ description: 'Created by the platform, for example for the delivery of an order.' }),
  source_type: Nullable(Type.String({ description: 'What it was created for, such as `order`.' })),
  source_id: Nullable(Type.String()),
  item_count: Count,
  deleted_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export type Collection = Static<typeof Collection>
