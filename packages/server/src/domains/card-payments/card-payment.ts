import { createTaskActor, type TaskContext } from '../../engine/task.ts'
import type { Tx } from '../../platform/database/database.ts'
import { PaymentsFailure, type PaymentIntent } from '../../platform/integrations/payments/payments.ts'
import type { Actor } from '../../engine/actor.ts'
import { emitEvent } from '../events/emit.ts'
import { flushLedgerSession, openLedgerSession } from '../ledger/ledger-session.ts'
import { applyCardAuthorisationTransition } from './authorisation-transitions.ts'
import { buildCardAuthorisationRequest, cardAuthorisationIdempotencyKey } from './authorise-card.ts'
import { recoverPaymentIntentId } from './charge-card.ts'
import { isPaymentProcessorRejection } from './payment-problems.ts'
import { issueCardReceipt } from './card-receipt.ts'
import type { DocumentIssuer } from '../invoicing/documents/issue-document.ts'
import {
  findCardAuthorisation,
  updateCardAuthorisationState,
  type CardAuthorisationChange,
  type CardAuthorisationRow,
} from './store.authorisations.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

const buildRequest = (job: TaskContext, organization: string, row: CardAuthorisationRow) =>
  buildCardAuthorisationRequest({ db: job.database.forOrganization(organization), organization }, row)

/** The intent of an authorisation whose response may have been lost; null if the card was declined and there is none. */
async function resolveIntentId(
  job: TaskContext,
  organization: string,
  row: CardAuthorisationRow,
): Promise<string | null> {
  if (row.intent !== null) return row.intent
  return recoverPaymentIntentId(
    job.integrations.payments,
    await buildRequest(job, organization, row),
    cardAuthorisationIdempotencyKey(row),
  )
}

/** Captures or voids at the processor, according to the state of the row. Idempotent. */
export async function captureOrVoidCardAuthorisation(
  job: TaskContext,
  organization: string,
  id: string,
): Promise<void> {
  const db = job.database.forOrganization(organization)
  const row = await findCardAuthorisation(db, organization, id)
  if (row?.state !== 'capturing' && row?.state !== 'voiding') return
  const intent = await resolveIntentId(job, organization, row)
  const { payments } = job.integrations
  const isCapture = row.state === 'capturing'
  if (intent !== null) {
    if (isCapture) await captureIntent(job, organization, row, intent)
    else await payments.cancel(intent, `${row.id}:void`)
  }
  const transition = isCapture ? 'confirm_capture' : 'confirm_void'
  await db.transaction((tx) =>
    recordOutcome(tx, createTaskActor(job, organization), { id: row.id, transition, change: { intent } }),
  )
}

/** Records the capture or void; a capture gets its receipt in the same transaction. */
async function recordOutcome(
  tx: Tx,
  actor: DocumentIssuer,
  {
    id,
    transition,
    change,
  }: {
    readonly id: string
    readonly transition: 'confirm_capture' | 'confirm_void'
    readonly change: CardAuthorisationChange
  },
): Promise<void> {
  const ledger = await openLedgerSession(tx, actor)
  const updated = await updateCardAuthorisationState(tx, {
    organization: actor.organization,
    id,
    name: transition,
    change,
    at: ledger.now,
  })
  if (updated?.state === 'captured') await issueCardReceipt(ledger, actor.seller, updated)
  await flushLedgerSession(ledger)
}

/** Captures the amount; if the authorisation has unexpectedly expired, charges the card again. */
async function captureIntent(
  job: TaskContext,
  organization: string,
  row: CardAuthorisationRow,
  intent: string,
): Promise<void> {
  const { payments } = job.integrations
  try {
    await payments.capture(intent, row.captured_credits, `${row.id}:capture`)
  } catch (error) {
    if (!(error instanceof PaymentsFailure) || error.code !== 'capture_expired') throw error
    const { customer, payment_method, metadata } = await buildRequest(job, organization, row)
    const lateCharge = {
      customer,
      payment_method,
      metadata,
      amount_cents: row.captured_credits,
      capture: 'automatic' as const,
    }
    const charged = await payments.charge(lateCharge, `${row.id}:late`)
    if (charged.status !== 'succeeded') throw error
  }
}

/**
 * Authorises the card again before its authorisation expires. If the bank declines, emits `hold.ending`, so that the
 * work it pays for stops before delivery.
 */
export async function reauthoriseCardPayment(job: TaskContext, organization: string, id: string): Promise<void> {
  const db = job.database.forOrganization(organization)
  const actor = createTaskActor(job, organization)
  const row = await findCardAuthorisation(db, organization, id)
  if (row?.state !== 'authorised' || row.hold_id === null) return
  const next = { id: row.id, generation: row.generation + 1 }
  const intent = await requestReauthorisation(job, organization, row, cardAuthorisationIdempotencyKey(next))
  await db.transaction((tx) =>
    intent?.status === 'requires_capture'
      ? replaceIntent(tx, actor, { row, generation: next.generation, intent })
      : emitHoldEnding(tx, actor, row, intent),
  )
}

async function requestReauthorisation(
  job: TaskContext,
  organization: string,
  row: CardAuthorisationRow,
  key: string,
): Promise<PaymentIntent | null> {
  try {
    return await job.integrations.payments.charge(await buildRequest(job, organization, row), key)
  } catch (error) {
    if (isPaymentProcessorRejection(error)) return null
    throw error
  }
}

async function replaceIntent(
  tx: Tx,
  actor: Actor,
  {
    row,
    generation,
    intent: { id: intent, capture_before },
  }: { readonly row: CardAuthorisationRow; readonly generation: number; readonly intent: PaymentIntent },
): Promise<void> {
  const change = { generation, intent, capture_before }
  const updated = await applyCardAuthorisationTransition(tx, actor, { id: row.id, name: 'reauthorise', change })
  // The hold was settled or released in the meantime with the old intent, so the new one is not needed.
  await enqueueVoidIntent(tx, actor, updated ? row.intent : intent)
}

async function emitHoldEnding(
  tx: Tx,
  actor: Actor,
  row: CardAuthorisationRow,
  intent: PaymentIntent | null,
): Promise<void> {
  await enqueueVoidIntent(tx, actor, intent?.id ?? null)
  const data = { reference_type: row.reference_type, reason: 'The card could not be authorised again.' }
  await emitEvent(tx, actor, {
    kind: 'hold.ending',
    entity_type: row.reference_type,
    entity_id: row.reference_id,
    data,
  })
}

async function enqueueVoidIntent(tx: Tx, actor: Actor, intent: string | null): Promise<void> {
  if (intent === null) return
  await actor.queue.enqueue(tx, backgroundTaskTypes.voidIntent, { organization_id: actor.organization, intent })
}
