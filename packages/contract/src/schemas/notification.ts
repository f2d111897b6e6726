import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Uuid } from './primitives.ts'

/** An in-app message to one user. */
export const Notification = Type.Object({
  id: Uuid,
  kind: Type.String({ description: 'Kind of notification, such as `order.failed` or `alert`.' }),
  title: Type.String(),
  body: Type.String(),
  entity_type: Nullable(Type.String()),
  entity_id: Nullable(Type.String()),
  read_at: Nullable(Timestamp),
  created_at: Timestamp,
})

export type Notification = Static<typeof Notification>
