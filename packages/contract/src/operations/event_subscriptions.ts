import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List } from '../paging.ts'
import {
  ClearIfNull,
  WithDescription,
  StrictObject,
  KeepIfNull,
  OptionalNullable,
  Nullable,
  AnyObject,
  Uuid,
} from '../schemas/primitives.ts'
import { WebhookHeaders, NewEventSubscription, EventSubscription } from '../schemas/subscription.ts'

const EventType = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'An event type, such as `order.fulfilled`.',
})
const Endpoint = Type.String({ minLength: 1, maxLength: 2000, description: 'A public `https:` URL.' })
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
  problems: ['not-found'],
})

export const eventSubscriptionsDeleteOperation = operation({
  id: 'event_subscriptions.delete',
  scope: 'event_subscriptions:write',
  effect: 'destructive',
  summary: 'Delete a subscription; pending deliveries are dropped.',
  input: SubscriptionInput,
  output: Type.Object({ deleted: Type.Boolean() }),
  problems: ['not-found'],
})

export const eventSubscriptionsGetOperation = operation({
  id: 'event_subscriptions.get',
  scope: 'event_subscriptions:read',
  effect: 'read',
  summary: 'Read a subscription, with its secret redacted.',
  input: SubscriptionInput,
  output: Type.Object({ subscription: EventSubscription }),
  problems: ['not-found'],
})

export const eventSubscriptionsListOperation = operation({
  id: 'event_subscriptions.list',
  scope: 'event_subscriptions:read',
  effect: 'read',
  summary: 'List the subscriptions of the organization, with their secrets redacted.',
  input: StrictObject({ event_type: OptionalNullable(EventType), active: OptionalNullable(Type.Boolean()) }),
  output: List('subscriptions', EventSubscription),
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
  }),
  problems: ['not-found'],
})
