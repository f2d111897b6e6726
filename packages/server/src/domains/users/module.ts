import type { Module } from '../../engine/task.ts'
import { getCurrentUser } from './operations/users.me.ts'

export const users: Module = { name: 'users', handlers: [getCurrentUser], tasks: [] }
