import type { Module } from '../../engine/task.ts'
import { drainWebhooks } from './operations/webhooks.drain.ts'

export const webhooks: Module = { name: 'webhooks', handlers: [drainWebhooks], tasks: [] }
