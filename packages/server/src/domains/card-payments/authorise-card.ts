import type { Call, PurchaseCall } from '../../engine/call.ts'
import { createRejectedCheckpointData, rejectedIdempotencyCheckpoint } from '../../engine/idempotency.ts'
import { Problem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { ChargeRequest, PaymentIntent } from '../../platform/integrations/payments/payments.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../../engine/actor.ts'
import { openLedgerSession } from '../ledger/ledger-session.ts'
import { pendingCardAuthorisationStates } from './authorisation-lifecycle.ts'
import { applyCardAuthorisationTransition } from './authorisation-transitions.ts'
import { createOrRetrievePaymentIntent, buildChargeRequest } from './charge-card.ts'
import {
  createPaymentActionRequiredProblem,
  createPaymentDeclinedProblem,
  isPaymentProcessorRejection,
  toPaymentProblem,
} from './payment-problems.ts'
import {
  deleteCardAuthorisationWithoutHold,
  findCardAuthorisation,
  insertCardAuthorisation,
  updateCardAuthorisationState,
  type CardAuthorisationRow,
} from './store.authorisations.ts'
import { deleteBillingDeadline, upsertBillingDeadline } from '../ledger/store.deadlines.ts'

/** An unfinished authorisation is voided after this time; 50 minutes, so that voiding happens within the hour. */
const authorisation_timeout_ms = 50 * 60_000

export interface CardAuthorisationRequest {
  /** The id of the card's row. */
  readonly payment_method_id: string
  readonly amount_credits: number
  /** The type of the paid object: `order`, `job`. */
  readonly subject: string
  /** The id of a paid object that exists already. */
  readonly reference_id?: string | undefined
  /** Throws if the caller may not spend the amount; runs in the transaction of the new row, with the ledger locked. */
  readonly requireSpendLimits: (tx: Tx, now: OrganizationTime) => Promise<void>
  /** The position of the payment among those of the call. */
  readonly position: number
}

/** The ids of the authorisations that an earlier attempt of this call has started, by position. */
function listRecordedAuthorisations({ claim }: Pick<Call, 'claim'>): (string | null)[] {
  const ids = claim?.recoveryData['authorisation_ids']
  return Array.isArray(ids) ? (ids as (string | null)[]).slice() : []
}

/**
 * Authorises an amount on a card before the hold is written. A retry with the same idempotency key continues the pending
 * authorisation. Throws `payment-declined` and deletes the authorisation, or throws `payment-action-required` and keeps
 * it until the cardholder completes the challenge.
 */
export async function authoriseCard(
  call: PurchaseCall,
  request: CardAuthorisationRequest,
): Promise<CardAuthorisationRow> {
  const pending = await findPendingAuthorisation(call, request)
  const row = pending ?? (await startAuthorisation(call, request))
  const intent = await requestIntent(call, row).catch(async (error: unknown) => {
    const problem = toPaymentProblem(error)
    if (isPaymentProcessorRejection(error) && problem instanceof Problem)
      await deleteDeclinedAuthorisation(call, row, problem)
    throw problem
  })
  if (intent.status === 'requires_capture') return saveIntent(call, row, intent, 'confirm')
  if (intent.status === 'requires_action') {
    await saveIntent(call, row, intent, 'require_action')
    throw createPaymentActionRequiredProblem(intent, call.baseUrl)
  }
  const problem = createPaymentDeclinedProblem(intent.decline_code)
  await deleteDeclinedAuthorisation(call, row, problem)
  throw problem
}

/** The pending authorisation of an earlier attempt of this call; null if it was voided or is for another amount. */
async function findPendingAuthorisation(
  call: PurchaseCall,
  { amount_credits, position }: CardAuthorisationRequest,
): Promise<CardAuthorisationRow | null> {
  const id = listRecordedAuthorisations(call)[position] ?? null
  if (id === null) return null
  const row = await findCardAuthorisation(call.db, call.organization, id)
  if (!row || row.hold_id !== null || !pendingCardAuthorisationStates.includes(row.state)) return null
  if (row.amount_credits === amount_credits) return row
  await call.transaction((tx) => applyCardAuthorisationTransition(tx, call, { id, name: 'abandon' }))
  return null
}

async function startAuthorisation(
  call: PurchaseCall,
  request: CardAuthorisationRequest,
): Promise<CardAuthorisationRow> {
  const id = newId()
  const { user } = call.principal
  return call.transaction(async (tx) => {
    const { now } = await openLedgerSession(tx, call)
    await request.requireSpendLimits(tx, now)
    await insertCardAuthorisation(tx, call.organization, {
      id,
      user_id: user,
      payment_method_id: request.payment_method_id,
      amount_credits: request.amount_credits,
      reference_type: request.subject,
      reference_id: request.reference_id ?? newId(),
      created_at: now,
    })
    const due_at = new Date(now.getTime() + authorisation_timeout_ms)
    await upsertBillingDeadline(tx, {
      organization: call.organization,
      kind: 'authorisation-abandoned',
      subject: id,
      due_at,
    })
    const authorisation_ids = Object.assign(listRecordedAuthorisations(call), { [request.position]: id })
    await call.claim?.checkpoint(tx, 'payment_pending', { authorisation_ids })
    return (await findCardAuthorisation(tx, call.organization, id))!
  })
}

/** The payment intent of an authorisation. The idempotency key makes the processor repeat a lost response. */
const requestIntent = (call: PurchaseCall, row: CardAuthorisationRow): Promise<PaymentIntent> =>
  createOrRetrievePaymentIntent(
    call.integrations.payments,
    row.intent,
    () => buildCardAuthorisationRequest(call, row),
    cardAuthorisationIdempotencyKey(row),
  )

/** The charge request of an authorisation. */
export const buildCardAuthorisationRequest = (
  { db, organization }: Pick<Call, 'db' | 'organization'>,
  row: CardAuthorisationRow,
): Promise<ChargeRequest> =>
  buildChargeRequest(db, organization, row.payment_method_id, {
    amount_cents: row.amount_credits,
    capture: 'manual',
    metadata: { organization_id: organization, authorisation_id: row.id },
  })

export const cardAuthorisationIdempotencyKey = (row: Pick<CardAuthorisationRow, 'id' | 'generation'>): string =>
  `${row.id}:${row.generation}`

async function saveIntent(
  call: PurchaseCall,
  row: CardAuthorisationRow,
  intent: PaymentIntent,
  transition: 'confirm' | 'require_action',
): Promise<CardAuthorisationRow> {
  const change = { intent: intent.id, capture_before: intent.capture_before }
  const now = call.clock.now()
  const saved = await updateCardAuthorisationState(call.db, {
    organization: call.organization,
    id: row.id,
    name: transition,
    change,
    at: now,
  })
  if (!saved) throw createPaymentDeclinedProblem('expired')
  return saved
}

/** Deletes an authorisation that was declined, and makes the idempotency key usable again. */
async function deleteDeclinedAuthorisation(
  call: PurchaseCall,
  row: CardAuthorisationRow,
  problem: Problem,
): Promise<void> {
  await call.transaction(async (tx) => {
    await deleteCardAuthorisationWithoutHold(tx, call.organization, row.id)
    await deleteBillingDeadline(tx, call.organization, 'authorisation-abandoned', row.id)
    await call.claim?.checkpoint(tx, rejectedIdempotencyCheckpoint, createRejectedCheckpointData(problem))
  })
}

/** Links an authorisation to the hold it pays for, in the transaction of the hold. */
export async function attachCardAuthorisationToHold(tx: Tx, actor: Actor, id: string, hold_id: string): Promise<void> {
  const attached = await applyCardAuthorisationTransition(tx, actor, {
    id,
    name: 'attach_to_hold',
    change: { hold_id },
  })
  if (!attached) throw createPaymentDeclinedProblem('expired')
}

/** Abandons an authorisation whose hold was not created, and makes the idempotency key usable again. */
export const abandonCardAuthorisation = (call: PurchaseCall, id: string): Promise<void> =>
  call.transaction(async (tx) => {
    await applyCardAuthorisationTransition(tx, call, { id, name: 'abandon' })
    await call.claim?.checkpoint(tx, 'claimed', {})
  })
