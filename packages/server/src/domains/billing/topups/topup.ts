import type { Tx } from '../../../platform/database/database.ts'
import { assertInvariant } from '../../../engine/problem.ts'
import { newId } from '../../../platform/ids.ts'
import type { PaymentIntent } from '../../../platform/integrations/payments/payments.ts'
import type { Actor } from '../../../engine/actor.ts'
import { emitEvent } from '../../events/emit.ts'
import { endFreePlan } from '../../organizations/change-plan.ts'
import { flushLedgerSession, lockLedger, openLedgerSession } from '../../ledger/ledger-session.ts'
import { addCreditGrant, type CreditGrantKind } from '../../ledger/ledger.ts'
import { recordAutoTopupDecline } from './auto-topup-declines.ts'
import type { DocumentIssuer } from '../../invoicing/documents/issue-document.ts'
import { issueTopupReceipt } from './topup-receipts.ts'
import { markTopupApprovalClosed } from './store.approvals.ts'
import { updateAutoTopupDeclinesToZero } from './store.auto-topups.ts'
import { upsertBillingDeadline, deleteBillingDeadline } from '../../ledger/store.deadlines.ts'
import {
  updateTopup,
  countTopupAttempts,
  findTopup,
  insertTopup,
  type TopupKind,
  type TopupRow,
} from './store.topups.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { requireWithinTopupLimits } from './topup-limits.ts'

/** An unfinished top-up is closed after this time. */
const topup_timeout_ms = 50 * 60_000

/** The failure code of a top-up that timed out without a decline. */
export const abandonedTopupCode = 'abandoned'

export interface TopupRequest {
  /** Default: a new id. */
  readonly id?: string
  readonly kind: TopupKind
  readonly credits: number
  /** The id of the card's row. */
  readonly card_id: string
  readonly approval_id?: string
}

/**
 * Inserts a top-up before its card is charged. The ledger must be locked and the card attached. Throws `spend-limit-exceeded` for
 * one that is requested beyond a limit; automatic ones are checked before.
 */
export async function insertUnchargedTopup(tx: Tx, actor: Actor, request: TopupRequest): Promise<TopupRow> {
  if (request.kind !== 'auto') await requireWithinTopupLimits(tx, actor, request.credits)
  const now = actor.clock.now()
  const key = actor.claim?.key ?? null
  const row = await insertTopup(tx, actor.organization, {
    id: request.id ?? newId(),
    kind: request.kind,
    credits: request.credits,
    payment_method_id: request.card_id,
    approval_id: request.approval_id ?? null,
    idempotency_key: key,
    attempt: key === null ? 1 : 1 + (await countTopupAttempts(tx, actor.organization, key)),
    requested_by: actor.principal.id,
    user_id: actor.principal.user,
    created_at: now,
  })
  await upsertBillingDeadline(tx, {
    organization: actor.organization,
    kind: 'topup-abandoned',
    subject: row.id,
    due_at: new Date(now.getTime() + topup_timeout_ms),
  })
  return row
}

/** Completes a top-up as if its card were charged: for dry runs, which charge none. */
export async function completeTopupWithoutCharge(tx: Tx, actor: DocumentIssuer, row: TopupRow): Promise<TopupRow> {
  return (await completeTopup(tx, actor, row.id, { id: 'dry-run', amount_cents: row.credits }))!
}

const grantKinds: Readonly<Record<TopupKind, CreditGrantKind>> = {
  topup: 'purchase',
  approval: 'purchase',
  auto: 'auto_topup',
}

/**
 * Grants the credits of a paid top-up, once, and issues a receipt. Called by the request, the webhook and the sweep, in
 * any order and repeatedly, and also for a top-up that has failed or timed out: charged money always grants credits.
 * Returns null if the top-up does not exist.
 */
export async function completeTopup(
  tx: Tx,
  actor: DocumentIssuer,
  id: string,
  intent: Pick<PaymentIntent, 'id' | 'amount_cents'>,
): Promise<TopupRow | null> {
  const ledger = await openLedgerSession(tx, actor)
  const row = await findTopup(tx, actor.organization, id)
  if (!row || row.state === 'succeeded') return row
  assertInvariant(
    intent.amount_cents === row.credits,
    `the amount of intent ${intent.id} differs from the amount of its top-up`,
  )
  const { entry_id, lot_id } = addCreditGrant(ledger, {
    kind: grantKinds[row.kind],
    amount_credits: row.credits,
    reference: { type: 'topup', id },
    note: intent.id,
  })
  const receipt = await issueTopupReceipt(ledger, actor.seller, { ...row, intent: intent.id })
  await flushLedgerSession(ledger)
  const change = { state: 'succeeded', intent: intent.id, entry_id, lot_id } as const
  const completed = await updateTopup(tx, {
    organization: actor.organization,
    id,
    from: [row.state],
    change,
    at: ledger.now,
  })
  await deleteBillingDeadline(tx, actor.organization, 'topup-abandoned', id)
  await emitPurchaseEvents(tx, actor, completed!, receipt.id)
  await endFreePlan(tx, actor)
  if (row.kind === 'auto') await updateAutoTopupDeclinesToZero(tx, actor.organization)
  if (row.approval_id !== null) await markTopupApprovalClosed(tx, actor.organization, row.approval_id, 'completed')
  return completed
}

async function emitPurchaseEvents(tx: Tx, actor: Actor, row: TopupRow, receipt_id: string): Promise<void> {
  const { id, kind, credits, lot_id, intent: payment_intent_id } = row
  const topup = { entity_type: 'topup', entity_id: id }
  const aud = credits / 100
  await emitEvent(tx, actor, {
    kind: 'topup.succeeded',
    ...topup,
    data: { kind, credits, aud, payment_intent_id, receipt_id },
  })
  await emitEvent(tx, actor, { kind: 'credits.purchased', ...topup, data: { credits, lot_id } })
}

/** Records the failure of a top-up. Returns false and writes nothing if it has already ended. */
export async function failTopup(
  tx: Tx,
  actor: Actor,
  id: string,
  reason: { readonly code: string | null; readonly intent: string | null },
): Promise<boolean> {
  await lockLedger(tx, actor.organization)
  const now = actor.clock.now()
  const failure_code = reason.code ?? 'declined'
  const change = { state: 'failed', failure_code, intent: reason.intent } as const
  const row = await updateTopup(tx, {
    organization: actor.organization,
    id,
    from: ['starting', 'action'],
    change,
    at: now,
  })
  if (!row) return false
  await deleteBillingDeadline(tx, actor.organization, 'topup-abandoned', id)
  const data = { kind: row.kind, credits: row.credits, aud: row.credits / 100, reason: failure_code }
  await emitEvent(tx, actor, { kind: 'topup.failed', entity_type: 'topup', entity_id: id, data })
  if (row.kind === 'auto' && failure_code !== abandonedTopupCode) await recordAutoTopupDecline(tx, actor)
  if (row.approval_id !== null) await markTopupApprovalClosed(tx, actor.organization, row.approval_id, 'charge_failed')
  return true
}

/** Enqueues the close task: a failed intent could still be paid until it is cancelled. */
export const enqueueCloseTopup = (tx: Tx, actor: Actor, topup_id: string): Promise<void> =>
  actor.queue.enqueue(tx, backgroundTaskTypes.closeTopup, { organization_id: actor.organization, topup_id })
