import type { Module } from '../../engine/task.ts'
import { listOrganizationEvents } from './operations/events.list.ts'

export const events: Module = { name: 'events', handlers: [listOrganizationEvents], tasks: [] }
