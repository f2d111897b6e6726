import { defineTask, type DueWork } from '../../../engine/task.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'

/** Makes the embedded processor redeliver webhooks and expire intents; other processors do that by themselves. */
export const redeliverProcessorWebhooksTask = defineTask(
  backgroundTaskTypes.redeliverWebhooks,
  { limit: 2, delay_s: 10, backoff: false, expire_s: 300 },
  async ({ integrations }) => void (await integrations.payments.deliverEvents()),
)

/** The same for a sandbox, whose payments are always those of the embedded processor. */
export const duePaymentsWork: DueWork = {
  name: 'payments',
  dueRows: (_organization, { integrations }) => integrations.payments.dueRows?.() ?? [],
  runDue: async ({ integrations }) => void (await integrations.payments.deliverEvents()),
}
