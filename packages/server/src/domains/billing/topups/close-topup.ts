import { actorOf, type Job } from '../../../engine/task.ts'
import { PaymentsFailure, type Intent } from '../../../platform/outside/payments/payments.ts'
import { recoverIntent } from '../cards/charge-card.ts'
import { topupCharge, topupKey } from './charge-topup.ts'
import { isRefusal } from '../cards/payment-problems.ts'
import { findTopup, type TopupRow } from './store.topups.ts'
import { abandoned, failTopup, finishTopup } from './topup.ts'

/**
 * Ends an abandoned top-up, or a failed one that could still be paid: grants the credits if it was paid, otherwise
 * cancels it at the processor. Idempotent.
 */
export async function closeTopup(job: Job, organization: string, id: string): Promise<void> {
  const db = job.database.of(organization)
  const actor = actorOf(job, organization)
  const row = await findTopup(db, organization, id)
  if (!row || row.state === 'succeeded') return
  const intent = await intentOf(job, organization, row)
  if (intent?.status === 'succeeded') {
    await db.transaction((tx) => finishTopup(tx, actor, id, intent))
    return
  }
  if (intent && intent.status !== 'canceled') await job.outside.payments.cancel(intent.id, `${id}:cancel`)
  await db.transaction((tx) => failTopup(tx, actor, id, { code: abandoned, intent: intent?.id ?? null }))
}

/** The intent of a top-up; null if the processor never received it, or rejected it without an intent. */
async function intentOf(job: Job, organization: string, row: TopupRow): Promise<Intent | null> {
  const { payments } = job.outside
  const known = row.intent ?? (await lookFor(job, organization, row))
  return known === null ? null : payments.find(known)
}

/**
 * Finds an intent whose response was lost, if the request was sent at all. Only the idempotency key can tell, so it is
 * tried with different parameters: an authorisation, which takes no money. A used key rejects those and then repeats the
 * response to the original parameters; an unused key creates an authorisation that is cancelled. So no one is charged
 * for an abandoned request.
 */
async function lookFor(job: Job, organization: string, row: TopupRow): Promise<string | null> {
  const { payments } = job.outside
  const terms = await topupCharge({ db: job.database.of(organization), organization }, row)
  const key = topupKey(organization, row)
  try {
    return (await payments.charge({ ...terms, capture: 'manual' }, key)).id
  } catch (error) {
    if (isRefusal(error)) return error.intent
    if (!(error instanceof PaymentsFailure) || error.kind !== 'idempotency') throw error
  }
  return recoverIntent(payments, terms, key)
}
