import Type from 'typebox'
import { operation } from '../operation.ts'
import { tokenPaging } from '../paging.ts'
import { Event } from '../shapes/event.ts'
import { Input, Nullable } from '../shapes/primitives.ts'

const filter = Type.Optional(Nullable(Type.String({ maxLength: 200 })))

export const eventsList = operation({
  id: 'events.list',
  scope: 'event_subscriptions:read',
  effect: 'read',
  summary: 'Read the events of the organization, newest first; the same events that webhooks carry.',
  input: Input({ event_type: filter, entity_type: filter, entity_id: filter, ...tokenPaging() }),
  output: Type.Object({
    events: Type.Array(Event),
    next: Type.Optional(Type.String({ description: 'Send it as `next` for the following page.' })),
  }),
  paging: 'token',
  extension: true,
  answered: true,
})
