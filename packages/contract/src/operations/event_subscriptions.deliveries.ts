import Type from 'typebox'
import { operation } from '../operation.ts'
import { nextTokenPaging } from '../paging.ts'
import {
  StrictObject,
  Uuid,
  WithDescription,
  OptionalNullable,
  Count,
  Timestamp,
  WithDefault,
} from '../schemas/primitives.ts'
import { EventDelivery, eventDeliveryStates, DeliveredEvent, EventDeliveryAttempt } from '../schemas/subscription.ts'

const DeliveryInput = StrictObject({ delivery_id: Uuid })

export const eventSubscriptionsDeliveriesListOperation = operation({
  id: 'event_subscriptions.deliveries.list',
  scope: 'event_subscriptions:read',
  effect: 'read',
  summary: 'List the deliveries of a subscription, newest first.',
  input: StrictObject({
    subscription_id: Uuid,
    state: WithDescription('Only deliveries in this state.', OptionalNullable(Type.Enum([...eventDeliveryStates]))),
    ...nextTokenPaging(),
  }),
  output: Type.Object({
    deliveries: Type.Array(EventDelivery),
    next: Type.Optional(Type.String({ description: 'Send it as `next` to get the next page.' })),
  }),
  paging: 'token',
  problems: ['not-found'],
  extension: true,
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
})

export const eventSubscriptionsDeliveriesRedeliverOperation = operation({
  id: 'event_subscriptions.deliveries.redeliver',
  scope: 'event_subscriptions:write',
  acts_on: 'member',
  effect: 'compute',
  summary: 'Send an event again, with the same event id and all attempts.',
  input: DeliveryInput,
  output: Type.Object({ delivery: EventDelivery }),
  problems: ['not-found', 'invalid-state'],
  extension: true,
})

export const eventSubscriptionsDeliveriesReplayWindowOperation = operation({
  id: 'event_subscriptions.deliveries.replay_window',
  scope: 'event_subscriptions:write',
  acts_on: 'member',
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
})
