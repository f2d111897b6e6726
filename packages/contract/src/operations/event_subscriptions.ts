import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import {
  WithDescription,
  AnyObject,
  OptionalNullable,
  StrictObject,
  Uuid,
  ClearIfNull,
  KeepIfNull,
  Nullable,
  Timestamp,
  WithDefault,
} from '../schemas/primitives.ts'
import {
  deliveryTestEndpointUrl,
  NewEventSubscription,
  WebhookHeaders,
  EventSubscription,
} from '../schemas/subscription.ts'

const EventType = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'An event type, such as `order.fulfilled`.',
})

const Endpoint = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: `A public \`https:\` URL; or \`${deliveryTestEndpointUrl}\`, which keeps what would be sent in the log.`,
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
})

export const eventSubscriptionsUpdateOperation = operation({
  id: 'event_subscriptions.update',
  scope: 'event_subscriptions:write',
  acts_on: 'member',
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
})

export const eventSubscriptionsDeleteOperation = operation({
  id: 'event_subscriptions.delete',
  scope: 'event_subscriptions:write',
  acts_on: 'member',
  effect: 'destructive',
  summary: 'Delete a subscription; pending deliveries are dropped.',
  input: SubscriptionInput,
  output: Type.Object({ deleted: Type.Boolean() }),
  problems: ['not-found', 'invalid-state'],
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
  output: ListEnvelope('subscriptions', EventSubscription),
})

export const eventSubscriptionsTestOperation = operation({
  id: 'event_subscriptions.test',
  scope: 'event_subscriptions:write',
  acts_on: 'member',
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
})

export const eventSubscriptionsRotateSecretOperation = operation({
  id: 'event_subscriptions.rotate_secret',
  scope: 'event_subscriptions:write',
  acts_on: 'member',
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
})
