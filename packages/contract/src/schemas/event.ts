import Type, { type Static } from 'typebox'
import { AnyObject, Timestamp, Uuid } from './primitives.ts'

/** An event, as webhooks deliver it. */
export const Event = Type.Object({
  event_id: Uuid,
  event_type: Type.String({ description: 'An event type, such as `order.fulfilled`.' }),
  timestamp: Timestamp,
  organization_id: Uuid,
  entity_type: Type.String({ description: 'The type of the entity that the event is about, such as `order`.' }),
  entity_id: Type.String(),
  data: AnyObject,
})

export type Event = Static<typeof Event>
