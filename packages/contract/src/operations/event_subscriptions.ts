import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List, tokenPaging } from '../paging.ts'
import {
  ClearIfNull,
  WithDescription,
  StrictObject,
  KeepIfNull,
  OptionalNullable,
  Nullable,
  AnyObject,
  Count,
  Timestamp,
  WithDefault,
  Uuid,
} from '../schemas/primitives.ts'
import {
  DeliveredEvent,
  EventDelivery,
  EventDeliveryAttempt,
  EventSubscription,
  NewEventSubscription,
  WebhookHeaders,
  deliveryStates,
  test_inbox_url,
} from '../schemas/subscription.ts'

const EventType = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'An event type, such as `order.fulfilled`.',
})
const Endpoint = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: `A public \`https:\` URL; or \`${test_inbox_url}\`, which keeps what would be sent in the log.`,
})
const Filter = WithDescription('Filters by `entity_type` or by dotted paths into `data`.', AnyObject)
const LongText = Type.String({ maxLength: limits.max_text_length })
const description = OptionalNullable(LongText)
const SubscriptionInput = StrictObject({ subscription_id: Uuid })

export const eventSubscriptionsCreateOperation = operation({
  id: 'event_subscriptions.create',
  scope: 'event_subscriptions:write',
  effect: 'compute',
  summary: 'Subscribe a webhook URL to an event type; only this response contains the signing secret.',
  input: StrictObject({
    event_type: EventType,
    endpoint_url: Endpoint,
    filter_config: Type.Optional(Filter),
    headers: Type.Optional(WebhookHeaders),
    description,
  }),
  output: NewEventSubscription,
  problems: ['quota-exceeded'],
  implemented: true,
})

export const eventSubscriptionsCreateManyOperation = operation({
  id: 'event_subscriptions.create_many',
  scope: 'event_subscriptions:write',
  effect: 'compute',
  summary:
    'Subscribe a webhook URL to several event types; only this response contains the signing secret that they share.',
  input: StrictObject({
    event_types: Type.Array(EventType, {
      minItems: 1,
      maxItems: limits.max_event_subscriptions,
      uniqueItems: true,
      description: 'The event types, each once.',
    }),
    endpoint_url: Endpoint,
    headers: Type.Optional(WebhookHeaders),
    description,
  }),
  output: Type.Object({
    secret: Type.String({ description: 'The signing secret of all of them; shown only once.' }),
    subscriptions: Type.Array(EventSubscription, { description: 'In the order of the event types.' }),
  }),
  problems: ['quota-exceeded'],
  extension: true,
  implemented: true,
})

export const eventSubscriptionsUpdateOperation = operation({
  id: 'event_subscriptions.update',
  scope: 'event_subscriptions:write',
  effect: 'compute',
  summary: 'Update or pause a subscription; absent fields keep their values.',
  input: StrictObject({
    subscription_id: Uuid,
    endpoint_url: KeepIfNull(Endpoint),
    filter_config: ClearIfNull(Filter, 'Null delivers every event of the type.'),
    headers: Type.Optional(WebhookHeaders),
    active: KeepIfNull(Type.Boolean()),
    description: ClearIfNull(LongText),
  }),
  output: EventSubscription,
  problems: ['not-found', 'invalid-state'],
  implemented: true,
})

export const eventSubscriptionsDeleteOperation = operation({
  id: 'event_subscriptions.delete',
  scope: 'event_subscriptions:write',
  effect: 'destructive',
  summary: 'Delete a subscription; pending deliveries are dropped.',
  input: SubscriptionInput,
  output: Type.Object({ deleted: Type.Boolean() }),
  problems: ['not-found', 'invalid-state'],
  implemented: true,
})

export const eventSubscriptionsGetOperation = operation({
  id: 'event_subscriptions.get',
  scope: 'event_subscriptions:read',
  effect: 'read',
  summary: 'Read a subscription, with its secret redacted.',
  input: SubscriptionInput,
  output: Type.Object({ subscription: EventSubscription }),
  problems: ['not-found'],
  implemented: true,
})

export const eventSubscriptionsListOperation = operation({
  id: 'event_subscriptions.list',
  scope: 'event_subscriptions:read',
  effect: 'read',
  summary: 'List the subscriptions of the organization, with their secrets redacted.',
  input: StrictObject({ event_type: OptionalNullable(EventType), active: OptionalNullable(Type.Boolean()) }),
  output: List('subscriptions', EventSubscription),
  implemented: true,
})

export const eventSubscriptionsTestOperation = operation({
  id: 'event_subscriptions.test',
  scope: 'event_subscriptions:write',
  effect: 'compute',
  summary: 'Send a signed test event immediately, even if the subscription is paused.',
  input: SubscriptionInput,
  output: Type.Object({
    status: Type.Enum(['delivered', 'failed']),
    delivered: Type.Boolean(),
    http_status: Nullable(Type.Integer()),
    error: Nullable(Type.String()),
    event_id: Uuid,
    event_type: Type.String(),
    headers: WithDescription('The headers that were sent; the values of credentials are redacted.', WebhookHeaders),
    payload: WithDescription('The body that was sent. A test has no entry in the log.', AnyObject),
  }),
  problems: ['not-found'],
  implemented: true,
})

export const eventSubscriptionsRotateSecretOperation = operation({
  id: 'event_subscriptions.rotate_secret',
  scope: 'event_subscriptions:write',
  effect: 'export',
  summary: 'Replace the signing secret; the previous one signs as well until the overlap ends.',
  input: StrictObject({
    subscription_id: Uuid,
    overlap_hours: WithDefault(
      Type.Integer({ minimum: 0, maximum: 168, description: 'How long the old secret still signs, too.' }),
      24,
    ),
  }),
  output: Type.Object({
    ...NewEventSubscription.properties,
    previous_secret_expires_at: Nullable(Timestamp),
  }),
  problems: ['not-found', 'invalid-state'],
  extension: true,
  implemented: true,
})

const DeliveryInput = StrictObject({ delivery_id: Uuid })

export const eventSubscriptionsDeliveriesListOperation = operation({
  id: 'event_subscriptions.deliveries.list',
  scope: 'event_subscriptions:read',
  effect: 'read',
  summary: 'List the deliveries of a subscription, newest first.',
  input: StrictObject({
    subscription_id: Uuid,
    state: WithDescription('Only deliveries in this state.', OptionalNullable(Type.Enum([...deliveryStates]))),
    ...tokenPaging(),
  }),
  output: Type.Object({
    deliveries: Type.Array(EventDelivery),
    next: Type.Optional(Type.String({ description: 'Send it as `next` to get the next page.' })),
  }),
  paging: 'token',
  problems: ['not-found'],
  extension: true,
  implemented: true,
})

export const eventSubscriptionsDeliveriesGetOperation = operation({
  id: 'event_subscriptions.deliveries.get',
  scope: 'event_subscriptions:read',
  effect: 'read',
  summary: 'Read a delivery with its payload and its attempts, each with its response and timing.',
  input: DeliveryInput,
  output: Type.Object({ delivery: EventDelivery, payload: DeliveredEvent, attempts: Type.Array(EventDeliveryAttempt) }),
  problems: ['not-found'],
  extension: true,
  implemented: true,
})

export const eventSubscriptionsDeliveriesRedeliverOperation = operation({
  id: 'event_subscriptions.deliveries.redeliver',
  scope: 'event_subscriptions:write',
  effect: 'compute',
  summary: 'Send an event again, with the same event id and all attempts.',
  input: DeliveryInput,
  output: Type.Object({ delivery: EventDelivery }),
  problems: ['not-found', 'invalid-state'],
  extension: true,
  implemented: true,
})

export const eventSubscriptionsDeliveriesReplayWindowOperation = operation({
  id: 'event_subscriptions.deliveries.replay_window',
  scope: 'event_subscriptions:write',
  effect: 'compute',
  summary: 'Send the events of a period again: those that failed permanently, or all of them.',
  input: StrictObject({
    subscription_id: Uuid,
    since: WithDescription('The start of the window.', Timestamp),
    until: WithDescription('The end of the window; null: now.', OptionalNullable(Timestamp)),
    include_delivered: WithDefault(Type.Boolean({ description: 'Also what was delivered before.' }), false),
  }),
  output: Type.Object({
    replayed_count: Count,
    has_more: Type.Boolean({ description: 'True if the period has more deliveries than one call replays.' }),
  }),
  problems: ['not-found', 'invalid-state'],
  extension: true,
  implemented: true,
})
