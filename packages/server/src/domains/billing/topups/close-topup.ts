import { createTaskActor, type TaskContext } from '../../../engine/task.ts'
import { PaymentsFailure, type PaymentIntent } from '../../../platform/integrations/payments/payments.ts'
import { recoverPaymentIntentId } from '../../card-payments/charge-card.ts'
import { buildTopupChargeRequest, topupIdempotencyKey } from './charge-topup.ts'
import { isPaymentProcessorRejection } from '../../card-payments/payment-problems.ts'
import { findTopup, type TopupRow } from './store.topups.ts'
import { abandonedTopupCode, failTopup, completeTopup } from './topup.ts'

/**
 * Ends an abandoned top-up, or a failed one that could still be paid: grants the credits if it was paid, otherwise
 * cancels it at the processor. Idempotent.
 */
export async function resolveUnfinishedTopup(job: TaskContext, organization: string, id: string): Promise<void> {
  const db = job.database.forOrganization(organization)
  const actor = createTaskActor(job, organization)
  const row = await findTopup(db, organization, id)
  if (!row || row.state === 'succeeded') return
  const intent = await findIntent(job, organization, row)
  if (intent?.status === 'succeeded') {
    await db.transaction((tx) => completeTopup(tx, actor, id, intent))
    return
  }
  if (intent && intent.status !== 'canceled') await job.integrations.payments.cancel(intent.id, `${id}:cancel`)
  await db.transaction((tx) => failTopup(tx, actor, id, { code: abandonedTopupCode, intent: intent?.id ?? null }))
}

/** The intent of a top-up; null if the processor never received it, or rejected it without an intent. */
async function findIntent(job: TaskContext, organization: string, row: TopupRow): Promise<PaymentIntent | null> {
  const { payments } = job.integrations
  const intentId = row.intent ?? (await recoverLostIntentId(job, organization, row))
  return intentId === null ? null : payments.find(intentId)
}

/**
 * Finds an intent whose response was lost, if the request was sent at all. Only the idempotency key can tell, so it is
 * tried with different parameters: an authorisation, which takes no money. A used key rejects those and then repeats the
 * response to the original parameters; an unused key creates an authorisation that is cancelled. So no one is charged
 * for an abandoned request.
 */
async function recoverLostIntentId(job: TaskContext, organization: string, row: TopupRow): Promise<string | null> {
  const { payments } = job.integrations
  const request = await buildTopupChargeRequest({ db: job.database.forOrganization(organization), organization }, row)
  const key = topupIdempotencyKey(organization, row)
  try {
    return (await payments.charge({ ...request, capture: 'manual' }, key)).id
  } catch (error) {
    if (isPaymentProcessorRejection(error)) return error.intent
    if (!(error instanceof PaymentsFailure) || error.kind !== 'idempotency') throw error
  }
  return recoverPaymentIntentId(payments, request, key)
}
