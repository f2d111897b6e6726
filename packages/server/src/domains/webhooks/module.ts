import type { Module } from '../../engine/task.ts'
import { createWebhook } from './operations/webhooks.create.ts'
import { deleteWorkspaceWebhook } from './operations/webhooks.delete.ts'
import { drainWebhooks } from './operations/webhooks.drain.ts'
import { listWebhookEvents } from './operations/webhooks.events.list.ts'
import { getWebhook } from './operations/webhooks.get.ts'
import { listWorkspaceWebhooks } from './operations/webhooks.list.ts'
import { testWebhook } from './operations/webhooks.test.operation.ts'
import { replaceWebhook } from './operations/webhooks.update.ts'

export const webhooks: Module = {
  name: 'webhooks',
  handlers: [
    createWebhook,
    listWorkspaceWebhooks,
    getWebhook,
    replaceWebhook,
    deleteWorkspaceWebhook,
    testWebhook,
    listWebhookEvents,
    drainWebhooks,
  ],
  tasks: [],
}
