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

/** An event type, as the list of event types describes it. */
export const EventTypeDescription = Type.Object({
  event_type: Type.String(),
  summary: Type.String(),
  category: Type.String({ description: 'The part of the type before its first dot.' }),
  data_schema: AnyObject,
  example: AnyObject,
})
