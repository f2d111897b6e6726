import { assertInvariant } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { emitEvent } from '../events/emit.ts'
import { lockLedger } from '../ledger/ledger-session.ts'
import { expireHold } from '../ledger/holds.ts'
import { findCreditHold, findCreditLot } from '../ledger/store.holds.ts'
import { expireDueLots } from '../ledger/ledger.ts'
import { toCardEventData } from '../payment_methods/cards.ts'
import { findSavedCard } from '../payment_methods/store.ts'
import { applyCardAuthorisationTransition } from '../card-payments/authorisation-transitions.ts'
import type { DocumentIssuer } from '../invoicing/documents/issue-document.ts'
import { handleMonthEnd } from '../invoicing/billing-cycle/month-end.ts'
import { enqueueCardCaptureOrVoid } from '../card-payments/enqueue-card-capture.ts'
import { emitStoppedDelegations } from '../organizations/delegations.ts'
import { addMonthlyGrant } from './free-tier.ts'
import { markTopupApprovalDecided } from './topups/store.approvals.ts'
import { upsertBillingDeadline, deleteDueBillingDeadline, type BillingDeadlineRow } from '../ledger/store.deadlines.ts'
import { enqueueCloseTopup } from './topups/topup.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

/** Handles a due deadline of one subject, in the transaction that deletes the deadline. */
export type BillingDeadlineHandler = (tx: Tx, actor: DocumentIssuer, subject: string) => Promise<void>

const grace_ms = 3_600_000

/** Emits `hold.ending`; the owner of the hold has an hour to stop the work and settle the deliveries. */
const handleHoldEnding: BillingDeadlineHandler = async (tx, actor, hold_id) => {
  const hold = await findCreditHold(tx, actor.organization, hold_id)
  if (!hold || hold.outcome !== null) return
  const now = actor.clock.now()
  await upsertBillingDeadline(tx, {
    organization: actor.organization,
    kind: 'hold-expiry',
    subject: hold_id,
    due_at: new Date(now.getTime() + grace_ms),
  })
  const data = { reference_type: hold.reference_type, reason: 'The hold has expired.' }
  await emitEvent(tx, actor, {
    kind: 'hold.ending',
    entity_type: hold.reference_type,
    entity_id: hold.reference_id,
    data,
  })
}

/** Expires a hold that its owner did not resolve; nothing is charged. */
const handleHoldExpiry: BillingDeadlineHandler = async (tx, actor, hold_id) => {
  const hold = await findCreditHold(tx, actor.organization, hold_id)
  if (!hold || hold.outcome !== null) return
  await enqueueCardCaptureOrVoid(tx, actor, await expireHold(tx, actor, hold_id), 0)
  const data = { hold_id, amount_credits: hold.amount_credits }
  await emitEvent(tx, actor, {
    kind: 'hold.expired',
    entity_type: hold.reference_type,
    entity_id: hold.reference_id,
    data,
  })
}

const handleLotExpiry: BillingDeadlineHandler = async (tx, actor) => {
  await expireDueLots(tx, actor)
}

/** Emits `credits.expiring` once per lot that has available credits. */
const handleLotWarning: BillingDeadlineHandler = async (tx, actor, lot_id) => {
  const lot = await findCreditLot(tx, actor.organization, lot_id)
  if (!lot || lot.available_credits === 0) return
  const { available_credits, expires_at } = lot
  const data = { available_credits, expires_at: expires_at?.toISOString() ?? null, kind: lot.kind }
  await emitEvent(tx, actor, { kind: 'credits.expiring', entity_type: 'lot', entity_id: lot_id, data })
}

const handleAbandonedAuthorisation: BillingDeadlineHandler = async (tx, actor, id) => {
  await applyCardAuthorisationTransition(tx, actor, { id, name: 'abandon' })
}

const handleCardRenewal: BillingDeadlineHandler = (tx, actor, authorisation_id) =>
  actor.queue.enqueue(tx, backgroundTaskTypes.reauthoriseCard, {
    organization_id: actor.organization,
    authorisation_id,
  })

const handleCardWarning: BillingDeadlineHandler = async (tx, actor, card_id) => {
  const card = await findSavedCard(tx, actor.organization, card_id)
  if (!card || card.detached_at !== null) return
  const data = toCardEventData(card)
  await emitEvent(tx, actor, {
    kind: 'payment_method.expiring',
    entity_type: 'payment_method',
    entity_id: card_id,
    data,
  })
}

const handleApprovalExpiry: BillingDeadlineHandler = (tx, actor, approval_id) => {
  const now = actor.clock.now()
  return markTopupApprovalDecided(
    tx,
    { organization: actor.organization, id: approval_id },
    { status: 'expired', by: null },
    now,
  )
}

/** Emits an event for the delegations that stop with an expired API key. */
const handleKeyExpiry: BillingDeadlineHandler = (tx, actor, api_key) => emitStoppedDelegations(tx, actor, { api_key })

/** Deadline handlers by kind. */
export const billingDeadlineHandlers: Readonly<Record<string, BillingDeadlineHandler>> = {
  'hold-ending': handleHoldEnding,
  'hold-expiry': handleHoldExpiry,
  'lot-expiry': handleLotExpiry,
  'lot-warning': handleLotWarning,
  'authorisation-abandoned': handleAbandonedAuthorisation,
  'card-renewal': handleCardRenewal,
  'card-warning': handleCardWarning,
  'topup-abandoned': enqueueCloseTopup,
  'month-end': (tx, actor) => handleMonthEnd(tx, actor, addMonthlyGrant),
  'approval-expiry': handleApprovalExpiry,
  'key-expiry': handleKeyExpiry,
}

/**
 * Deletes a deadline and handles it if it is still due; returns whether it was. Locks the ledger first, as every step
 * that resolves a hold does, to prevent deadlocks.
 */
export async function handleDueBillingDeadline(
  tx: Tx,
  actor: DocumentIssuer,
  row: BillingDeadlineRow,
  now: OrganizationTime,
): Promise<boolean> {
  const handle = billingDeadlineHandlers[row.kind]
  assertInvariant(handle, `no handler for deadlines of kind ${row.kind}`)
  await lockLedger(tx, actor.organization)
  if (!(await deleteDueBillingDeadline(tx, row, now))) return false
  await handle(tx, actor, row.subject_id)
  return true
}
