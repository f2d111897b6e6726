import Type, { type Static } from 'typebox'
import { webhookEvents, type WebhookEvent } from '../webhook-events.ts'
import { Event } from './event.ts'
import { Nullable, AnyObject, Timestamp, Uuid } from './primitives.ts'

export const WebhookHeaders = Type.Record(Type.String(), Type.String({ maxLength: 4000 }), {
  description: 'HTTP headers of every delivery; the values of credentials are redacted in responses.',
})

/**
 * The endpoint of subscriptions whose deliveries are only written to their log, with the headers that a server would
 * have received: to try webhooks where no server can be reached.
 */
export const deliveryTestEndpointUrl = 'swath://inbox'

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
  failing_since: Nullable(Timestamp),
  held_until: Nullable(Timestamp, {
    description: 'Nothing is sent before: the endpoint is down, or asked for a pause.',
  }),
  disabled_reason: Nullable(
    Type.Enum(['gone', 'failing'], {
      description: '`gone`: the endpoint answered 410; `failing`: every delivery failed for five days.',
    }),
  ),
  webhook_id: Nullable(Uuid, { description: 'The webhook of a workspace that the subscription is a part of.' }),
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** The only response that contains the signing secret. */
export const NewEventSubscription = Type.Object({
  ...EventSubscription.properties,
  secret: Type.String({ description: 'The signing secret; shown only once.' }),
})

export const eventDeliveryStates = ['pending', 'delivering', 'succeeded', 'retrying', 'dead', 'cancelled'] as const

const DeliverySequence = Nullable(Type.Integer({ minimum: 1 }), {
  description:
    'One more than that of the delivery before it to the same subscription: a receiver sees what is missing, and the order. Given when the delivery is first sent, or given up; null before.',
})

/** The body of a delivery: the event, and the number of the delivery. */
export const DeliveredEvent = Type.Object({ ...Event.properties, sequence: DeliverySequence })

/** The delivery of one event to one subscription. */
export const EventDelivery = Type.Object({
  id: Uuid,
  subscription_id: Uuid,
  event_id: Uuid,
  event_type: Type.String(),
  entity_type: Type.String(),
  entity_id: Type.String(),
  state: Type.Enum([...eventDeliveryStates]),
  attempts: Type.Integer({ minimum: 0, description: 'Attempts since the event or the last redelivery.' }),
  sequence: DeliverySequence,
  next_attempt_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp),
  created_at: Timestamp,
})

/** One attempt at a delivery; the beginning of the response is stored. */
export const EventDeliveryAttempt = Type.Object({
  id: Uuid,
  endpoint_url: Type.String(),
  delivered: Type.Boolean(),
  http_status: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
  response_headers: Type.Record(Type.String(), Type.String(), {
    description: `Of the response; with the endpoint \`${deliveryTestEndpointUrl}\` the headers that it received, its custom credentials redacted.`,
  }),
  response_body: Nullable(Type.String()),
  started_at: Timestamp,
  duration_ms: Type.Integer({ minimum: 0 }),
})

export type EventDelivery = Static<typeof EventDelivery>

export type EventSubscription = Static<typeof EventSubscription>

const WebhookEventName = Type.Enum(Object.keys(webhookEvents) as WebhookEvent[])

/** The events of a webhook, in any order. */
export const WebhookEventNames = Type.Array(WebhookEventName, {
  minItems: 1,
  maxItems: Object.keys(webhookEvents).length,
  uniqueItems: true,
})

/** A webhook of a workspace, as first-generation clients know it: one URL for several events. */
export const Webhook = Type.Object({
  id: Uuid,
  name: Type.String(),
  url: Type.String(),
  events: Type.Array(WebhookEventName),
  active: Type.Boolean({ description: 'False if every subscription of the webhook is paused or was disabled.' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

/** The only response that contains the signing secret. */
export const NewWebhook = Type.Object({
  ...Webhook.properties,
  secret: Type.String({ description: 'The signing secret; shown only once.' }),
})

/** An event that a webhook may name. */
export const WebhookEventDescription = Type.Object({
  name: WebhookEventName,
  title: Type.String(),
  category: Type.String(),
  description: Type.String(),
  documentation: Type.String({ description: 'URL of the page about events.' }),
})

export type WorkspaceWebhook = Static<typeof Webhook>
