import Type from 'typebox'
import { defineTask } from '../../../engine/task.ts'

/** Makes the embedded processor redeliver webhooks and expire intents; other processors do that by themselves. */
export const redeliverWebhooks = defineTask(
  'billing.hear-processor',
  Type.Object({}),
  { limit: 2, delay_s: 10, backoff: false, expire_s: 300 },
  async ({ integrations }) => void (await integrations.payments.deliverEvents()),
)
