import type { Room } from '../../engine/task.ts'
import { readMyself } from './users.me.ts'

export const users: Room = { name: 'users', handlers: [readMyself], tasks: [] }
