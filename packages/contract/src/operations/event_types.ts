import Type from 'typebox'
import { operation } from '../operation.ts'
import { EventTypeDescription } from '../schemas/event.ts'
import { EmptyInput } from '../schemas/primitives.ts'

export const eventTypesListOperation = operation({
  id: 'event_types.list',
  scope: 'event_subscriptions:read',
  effect: 'read',
  summary: 'List the event types, each with the JSON Schema of its data and an example.',
  input: EmptyInput,
  output: Type.Object({ event_types: Type.Array(EventTypeDescription) }),
  extension: true,
})
