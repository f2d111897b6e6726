import Type, { type Static } from 'typebox'
import { Nullable, AnyObject, Timestamp, Uuid } from './primitives.ts'

export const WebhookHeaders = Type.Record(Type.String(), Type.String({ maxLength: 4000 }), {
  description: 'HTTP headers of every delivery.',
})

/** A webhook subscription to one event type; the signing secret is not returned. */
export const EventSubscription = Type.Object({
  id: Uuid,
  organization_id: Uuid,
  event_type: Type.String(),
  endpoint_url: Type.String(),
  filter_config: AnyObject,
  headers: WebhookHeaders,
  description: Nullable(Type.String()),
  active: Type.Boolean(),
  secret: Type.String({ description: 'Redacted.' }),
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** The only response that contains the signing secret. */
export const NewEventSubscription = Type.Object({
  ...EventSubscription.properties,
  secret: Type.String({ description: 'The signing secret; shown only once.' }),
})

export type EventSubscription = Static<typeof EventSubscription>
