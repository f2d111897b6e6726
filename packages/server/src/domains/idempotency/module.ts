import type { Module } from '../../engine/task.ts'
import { deleteExpiredClaimsTask } from './delete-expired-claims.task.ts'

export const idempotency: Module = { name: 'idempotency', handlers: [], tasks: [deleteExpiredClaimsTask] }
