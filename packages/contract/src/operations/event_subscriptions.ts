import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List } from '../paging.ts'
import { ClearedByNull, Described, Input, KeptByNull, Maybe, Nullable, Open, Uuid } from '../shapes/primitives.ts'
import { Headers, NewSubscription, Subscription } from '../shapes/subscription.ts'

const EventType = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'An event type, such as `order.fulfilled`.',
})
const Endpoint = Type.String({ minLength: 1, maxLength: 2000, description: 'A public `https:` URL.' })
const Filter = Described('Filters by `entity_type` or by dotted paths into `data`.', Open)
const Text = Type.String({ maxLength: limits.text_length })
const description = Maybe(Text)
const one = Input({ subscription_id: Uuid })

export const eventSubscriptionsCreate = operation({
  id: 'event_subscriptions.create',
  scope: 'event_subscriptions:write',
  effect: 'compute',
  summary: 'Subscribe a webhook URL to an event type; only this response contains the signing secret.',
  input: Input({
    event_type: EventType,
    endpoint_url: Endpoint,
    filter_config: Type.Optional(Filter),
    headers: Type.Optional(Headers),
    description,
  }),
  output: NewSubscription,
})

export const eventSubscriptionsUpdate = operation({
  id: 'event_subscriptions.update',
  scope: 'event_subscriptions:write',
  effect: 'compute',
  summary: 'Update or pause a subscription; absent fields keep their values.',
  input: Input({
    subscription_id: Uuid,
    endpoint_url: KeptByNull(Endpoint),
    filter_config: ClearedByNull(Filter, 'Null delivers every event of the type.'),
    headers: Type.Optional(Headers),
    active: KeptByNull(Type.Boolean()),
    description: ClearedByNull(Text),
  }),
  output: Subscription,
  problems: ['not-found'],
})

export const eventSubscriptionsDelete = operation({
  id: 'event_subscriptions.delete',
  scope: 'event_subscriptions:write',
  effect: 'destructive',
  summary: 'Delete a subscription; pending deliveries are dropped.',
  input: one,
  output: Type.Object({ deleted: Type.Boolean() }),
  problems: ['not-found'],
})

export const eventSubscriptionsGet = operation({
  id: 'event_subscriptions.get',
  scope: 'event_subscriptions:read',
  effect: 'read',
  summary: 'Read a subscription, with its secret redacted.',
  input: one,
  output: Type.Object({ subscription: Subscription }),
  problems: ['not-found'],
})

export const eventSubscriptionsList = operation({
  id: 'event_subscriptions.list',
  scope: 'event_subscriptions:read',
  effect: 'read',
  summary: 'List the subscriptions of the organization, with their secrets redacted.',
  input: Input({ event_type: Maybe(EventType), active: Maybe(Type.Boolean()) }),
  output: List('subscriptions', Subscription),
})

export const eventSubscriptionsTest = operation({
  id: 'event_subscriptions.test',
  scope: 'event_subscriptions:write',
  effect: 'compute',
  summary: 'Send a signed test event immediately, even if the subscription is paused.',
  input: one,
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
