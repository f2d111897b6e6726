import { actorOf, type Job } from '../../../engine/task.ts'
import { PaymentsFailure, type Intent } from '../../../platform/outside/payments/payments.ts'
import { recoverIntent } from '../cards/charge-card.ts'
import { topupCharge, topupKey } from './charge-topup.ts'
import { isRefusal } from '../cards/payment-problems.ts'
import { findTopup, type TopupRow } from './store.topups.ts'
import { abandoned, failTopup, finishTopup } from './topup.ts'

/**
 * Ends a top-up that nobody finished, or one that failed and could still be paid: what was paid is granted, anything else
 * is cancelled at the processor. Twice is once.
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

/** What the processor knows of a top-up; null where it never heard of it, or refused it without an intent. */
async function intentOf(job: Job, organization: string, row: TopupRow): Promise<Intent | null> {
  const { payments } = job.outside
  const known = row.intent ?? (await lookFor(job, organization, row))
  return known === null ? null : payments.find(known)
}

/**
 * Whose answer was lost, or was never asked: only the key can tell. It is tried with other terms, an authorisation that
 * takes no money. A key that was used refuses those, and then answers its own terms as it did the first time; a key that
 * was not leaves an authorisation to be cancelled. So nobody is charged for a call that was given up long ago.
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
