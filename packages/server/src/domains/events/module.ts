import type { Module } from '../../engine/task.ts'
import { listEventTypes } from './operations/event_types.list.ts'
import { listOrganizationEvents } from './operations/events.list.ts'
import { streamEvents } from './operations/events.stream.ts'

export const events: Module = {
  name: 'events',
  handlers: [listOrganizationEvents, streamEvents, listEventTypes],
  tasks: [],
}
