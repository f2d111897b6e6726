import Type from 'typebox'
import { operation } from '../operation.ts'
import { tokenPaging } from '../paging.ts'
import { Event } from '../schemas/event.ts'
import { StrictObject, OptionalNullable } from '../schemas/primitives.ts'

const filter = (description: string) => OptionalNullable(Type.String({ maxLength: 200, description }))

export const eventsListOperation = operation({
  id: 'events.list',
  scope: 'event_subscriptions:read',
  effect: 'read',
  summary: 'List the events of the organization, newest first; webhooks deliver the same events.',
  input: StrictObject({
    event_type: filter('An event type, such as `order.fulfilled`.'),
    entity_type: filter('Only events of this entity type, such as `order`.'),
    entity_id: filter('Only events of this entity.'),
    ...tokenPaging(),
  }),
  output: Type.Object({
    events: Type.Array(Event),
    next: Type.Optional(Type.String({ description: 'Send it as `next` to get the next page.' })),
  }),
  paging: 'token',
  extension: true,
  implemented: true,
})
