import Type from 'typebox'
import { operation } from '../operation.ts'
import { tokenPaging } from '../paging.ts'
import { Event } from '../shapes/event.ts'
import { Input, Maybe } from '../shapes/primitives.ts'

const filter = (description: string) => Maybe(Type.String({ maxLength: 200, description }))

export const eventsList = operation({
  id: 'events.list',
  scope: 'event_subscriptions:read',
  effect: 'read',
  summary: 'Read the events of the organization, newest first; the same events that webhooks carry.',
  input: Input({
    event_type: filter('A kind, such as `order.fulfilled`.'),
    entity_type: filter('Such as `order`.'),
    entity_id: filter('The events of one thing.'),
    ...tokenPaging(),
  }),
  output: Type.Object({
    events: Type.Array(Event),
    next: Type.Optional(Type.String({ description: 'Send it as `next` for the following page.' })),
  }),
  paging: 'token',
  extension: true,
  answered: true,
})
