import { createHash } from 'node:crypto'
import type { Call } from '../../../engine/call.ts'
import { createRejectedCheckpointData, rejectedIdempotencyCheckpoint } from '../../../engine/idempotency.ts'
import { Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { ChargeRequest, PaymentIntent } from '../../../platform/integrations/payments/payments.ts'
import { createOrRetrievePaymentIntent, buildChargeRequest } from '../../card-payments/charge-card.ts'
import {
  createPaymentActionRequiredProblem,
  createPaymentDeclinedProblem,
  isPaymentProcessorRejection,
  toPaymentProblem,
} from '../../card-payments/payment-problems.ts'
import { updateTopup, findTopup, type TopupRow } from './store.topups.ts'
import { enqueueCloseTopup, failTopup, completeTopup } from './topup.ts'

/** The charge request of a top-up. */
export const buildTopupChargeRequest = (
  { db, organization }: Pick<Call, 'db' | 'organization'>,
  row: TopupRow,
): Promise<ChargeRequest> =>
  buildChargeRequest(db, organization, row.payment_method_id, {
    amount_cents: row.credits,
    capture: 'automatic',
    metadata: { organization_id: organization, topup_id: row.id },
  })

/** Processors accept 255 characters; the organization id is prefixed, because two organizations may use the same key. */
const max_key_length = 200

/**
 * Derives the processor's idempotency key from the caller's, so that even a server that lost the top-up would not charge
 * twice. Later attempts under the same key are numbered, because the processor would repeat its first response.
 */
export function topupIdempotencyKey(
  organization: string,
  { id, idempotency_key: callerKey, attempt }: TopupRow,
): string {
  if (callerKey === null) return id
  const key = callerKey.length > max_key_length ? createHash('sha256').update(callerKey).digest('hex') : callerKey
  return attempt === 1 ? `${organization}:${key}` : `${attempt}:${organization}:${key}`
}

/**
 * Charges the card of a started top-up and grants its credits; returns the updated row, which is still in progress if the
 * bank is processing. Throws `payment-action-required` (a retry continues), `payment-declined` (the top-up has failed) or
 * `upstream` (the result is unknown; a retry asks again).
 */
export async function chargeTopup(call: Call, row: TopupRow): Promise<TopupRow> {
  const intent = await createOrRetrieveTopupIntent(call, row).catch(async (error: unknown) => {
    const problem = toPaymentProblem(error)
    if (isPaymentProcessorRejection(error) && problem instanceof Problem) await recordFailure(call, row, error, problem)
    throw problem
  })
  return (await intentHandlers[intent.status]?.(call, row, intent)) ?? throwUnexpectedStatus(intent)
}

/** The payment intent of a top-up. */
export const createOrRetrieveTopupIntent = (
  call: Pick<Call, 'db' | 'organization' | 'integrations'>,
  row: TopupRow,
): Promise<PaymentIntent> =>
  createOrRetrievePaymentIntent(
    call.integrations.payments,
    row.intent,
    () => buildTopupChargeRequest(call, row),
    topupIdempotencyKey(call.organization, row),
  )

type IntentHandler = (call: Call, row: TopupRow, intent: PaymentIntent) => Promise<TopupRow>

const handleDecline: IntentHandler = async (call, row, intent) => {
  const problem = createPaymentDeclinedProblem(intent.decline_code)
  await recordFailure(call, row, { code: intent.decline_code ?? intent.status, intent: intent.id }, problem)
  throw problem
}

/** Handlers by status of the payment intent. */
const intentHandlers: Readonly<Partial<Record<PaymentIntent['status'], IntentHandler>>> = {
  succeeded: (call, row, intent) =>
    call.transaction(async (tx) => {
      const completed = await completeTopup(tx, call, row.id, intent)
      await call.claim?.checkpoint(tx, 'paid', { topup_id: row.id })
      return completed!
    }),
  requires_action: async (call, row, intent) => {
    await saveIntent(call, row, 'action', intent)
    throw createPaymentActionRequiredProblem(intent, call.baseUrl)
  },
  processing: (call, row, intent) => saveIntent(call, row, 'starting', intent),
  requires_payment_method: handleDecline,
  canceled: handleDecline,
}

const throwUnexpectedStatus = (intent: PaymentIntent): never => {
  throw new Problem('upstream', `The payment processor returned the unexpected status "${intent.status}".`)
}

async function saveIntent(
  call: Call,
  row: TopupRow,
  state: 'starting' | 'action',
  intent: PaymentIntent,
): Promise<TopupRow> {
  const now = call.clock.now()
  const change = { state, intent: intent.id }
  const updated = await updateTopup(call.db, {
    organization: call.organization,
    id: row.id,
    from: ['starting', 'action'],
    change,
    at: now,
  })
  // It ended in the meantime, by a webhook or by its timeout.
  return updated ?? requirePaidTopup(call, (await findTopup(call.db, call.organization, row.id))!)
}

const recordFailure = (
  call: Call,
  row: TopupRow,
  { code, intent }: { readonly code: string | null; readonly intent: string | null },
  problem: Problem,
): Promise<void> =>
  call.transaction(async (tx) => {
    const failed = await failTopup(tx, call, row.id, { code, intent })
    if (failed && intent !== null) await enqueueCloseTopup(tx, call, row.id)
    await checkpointFailure(tx, call, row, problem)
  })

/** After a decline: the key of a top-up can be used again, but an approval is used up. */
async function checkpointFailure(tx: Tx, call: Call, { id, kind }: TopupRow, problem: Problem): Promise<void> {
  if (kind === 'approval') await call.claim?.checkpoint(tx, 'charge_failed', { topup_id: id })
  else await call.claim?.checkpoint(tx, rejectedIdempotencyCheckpoint, createRejectedCheckpointData(problem))
}

/** The row of an ended top-up that was paid. Throws `payment-declined` for a failed one, once. */
export async function requirePaidTopup(call: Call, row: TopupRow): Promise<TopupRow> {
  if (row.state !== 'failed') return row
  const problem = createPaymentDeclinedProblem(row.failure_code)
  await call.transaction((tx) => checkpointFailure(tx, call, row, problem))
  throw problem
}
