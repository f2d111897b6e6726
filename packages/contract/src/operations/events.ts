import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { nextTokenPaging } from '../paging.ts'
import { Event } from '../schemas/event.ts'
import { WithDefault, OptionalNullable, StrictObject } from '../schemas/primitives.ts'

const Order = WithDefault(
  Type.Enum(['newest', 'oldest'], {
    description:
      '`oldest` is for pollers: every page has a `next`, from which a later call continues without missing an event that was committed late.',
  }),
  'newest',
)

const filter = (description: string) => OptionalNullable(Type.String({ maxLength: 200, description }))

export const eventsListOperation = operation({
  id: 'events.list',
  scope: 'event_subscriptions:read',
  effect: 'read',
  summary: `List the events of the organization of the last ${limits.event_days} days; webhooks deliver the same events.`,
  input: StrictObject({
    event_type: filter('An event type, such as `order.fulfilled`.'),
    entity_type: filter('Only events of this entity type, such as `order`.'),
    entity_id: filter('Only events of this entity.'),
    order: Order,
    ...nextTokenPaging(),
  }),
  output: Type.Object({
    events: Type.Array(Event),
    next: Type.Optional(Type.String({ description: 'Send it as `next` to get the next page.' })),
  }),
  paging: 'token',
  extension: true,
})

export const eventsStreamOperation = operation({
  id: 'events.stream',
  scope: 'event_subscriptions:read',
  effect: 'read',
  summary: 'Stream the events of the organization as Server-Sent Events; a client resumes with `Last-Event-ID`.',
  input: StrictObject({
    event_type: filter('An event type, such as `order.fulfilled`.'),
    entity_type: filter('Only events of this entity type, such as `order`.'),
    entity_id: filter('Only events of this entity.'),
    last_event_id: filter(
      'The id of the last event that was received; the header `Last-Event-ID` has precedence. After one that is not kept any more the stream begins with the oldest event.',
    ),
    max_seconds: WithDefault(
      Type.Integer({ minimum: 1, maximum: 600, description: 'The server ends the stream after this time.' }),
      600,
    ),
  }),
  output: Event,
  response_kind: 'event-stream',
  extension: true,
})
