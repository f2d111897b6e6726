import Type from 'typebox'
import { task } from '../../../engine/task.ts'

/** Makes the embedded processor redeliver webhooks and expire intents; other processors do that by themselves. */
export const hearProcessor = task(
  'billing.hear-processor',
  Type.Object({}),
  { limit: 2, delay_s: 10, backoff: false, expire_s: 300 },
  async ({ outside }) => void (await outside.payments.deliverEvents()),
)
