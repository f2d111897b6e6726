import type { Room } from '../../engine/task.ts'
import { listOrganizationEvents } from './events.list.ts'

export const events: Room = { name: 'events', handlers: [listOrganizationEvents], tasks: [] }
