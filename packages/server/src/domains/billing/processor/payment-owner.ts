import type { Job } from '../../../engine/task.ts'
import { nullWhereAbsent, type Intent } from '../../../platform/outside/payments/payments.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** A payment intent that this server created, in its current state, with what it was created for. */
export interface OwnIntent {
  readonly intent: Intent
  readonly organization: string
  readonly topup_id: string | null
  readonly authorisation_id: string | null
}

/** Returns null for intents of other systems that share the account at the processor. */
export async function findOwnIntent(job: Job, id: string): Promise<OwnIntent | null> {
  const intent = await nullWhereAbsent(job.outside.payments.find(id))
  const named = (name: string): string | null => {
    const value = intent?.metadata[name]
    return value !== undefined && uuid.test(value) ? value : null
  }
  const organization = named('organization_id')
  if (!intent || organization === null) return null
  return { intent, organization, topup_id: named('topup_id'), authorisation_id: named('authorisation_id') }
}
