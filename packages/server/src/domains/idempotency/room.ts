import type { Room } from '../../engine/task.ts'
import { forgetClaims } from './forget-claims.task.ts'

export const idempotency: Room = { name: 'idempotency', handlers: [], tasks: [forgetClaims] }
