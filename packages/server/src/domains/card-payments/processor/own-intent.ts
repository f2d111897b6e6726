import type { TaskContext } from '../../../engine/task.ts'
import { awaitOrNullIfNotFound, type PaymentIntent } from '../../../platform/integrations/payments/payments.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** A payment intent that this server created, in its current state, with the object that it was created for. */
export interface OwnPaymentIntent {
  readonly intent: PaymentIntent
  readonly organization: string
  readonly topup_id: string | null
  readonly authorisation_id: string | null
}

/** Returns null for intents of other systems that share the account at the processor. */
export async function findOwnPaymentIntent(job: TaskContext, id: string): Promise<OwnPaymentIntent | null> {
  const intent = await awaitOrNullIfNotFound(job.integrations.payments.find(id))
  const metadataUuid = (name: string): string | null => {
    const value = intent?.metadata[name]
    return value !== undefined && uuid.test(value) ? value : null
  }
  const organization = metadataUuid('organization_id')
  if (!intent || organization === null) return null
  return {
    intent,
    organization,
    topup_id: metadataUuid('topup_id'),
    authorisation_id: metadataUuid('authorisation_id'),
  }
}
