import type { Tx } from '../../../platform/database/database.ts'
import { invariant } from '../../../engine/problem.ts'
import { newId } from '../../../platform/ids.ts'
import type { Intent } from '../../../platform/outside/payments/payments.ts'
import { emit, type Actor } from '../../events/emit.ts'
import { endFreePlan } from '../../organizations/change-plan.ts'
import { closeBooks, lockBooks, openBooks } from '../../ledger/books.ts'
import { grantIn, type GrantKind } from '../../ledger/ledger.ts'
import { countDecline } from './auto-topup-declines.ts'
import type { Issuer } from '../documents/issue-document.ts'
import { receiptIn } from '../documents/receipts.ts'
import { endApproval } from './store.approvals.ts'
import { forgetDeclines } from './store.auto-topups.ts'
import { putDeadline, removeDeadline } from '../store.deadlines.ts'
import { changeTopup, countAttempts, findTopup, insertTopup, type TopupKind, type TopupRow } from './store.topups.ts'

/** An unfinished top-up is closed after this time. */
const patience_ms = 50 * 60_000

/** The failure code of a top-up that timed out without a decline. */
export const abandoned = 'abandoned'

/** The task that completes or cancels a top-up, depending on its intent. */
export const closeTopupTask = 'billing.close-topup'

export interface TopupTerms {
  /** Default: a new id. */
  readonly id?: string
  readonly kind: TopupKind
  readonly credits: number
  /** The id of the card's row. */
  readonly card: string
  readonly approval_id?: string
}

/** Inserts a top-up before its card is charged. The ledger must be locked and the card attached. */
export async function beginTopup(tx: Tx, actor: Actor, terms: TopupTerms): Promise<TopupRow> {
  const now = actor.clock.now()
  const key = actor.claim?.key ?? null
  const row = await insertTopup(tx, actor.organization, {
    id: terms.id ?? newId(),
    kind: terms.kind,
    credits: terms.credits,
    payment_method_id: terms.card,
    approval_id: terms.approval_id ?? null,
    idempotency_key: key,
    attempt: key === null ? 1 : 1 + (await countAttempts(tx, actor.organization, key)),
    requested_by: actor.principal.id,
    created_at: now,
  })
  await putDeadline(tx, actor.organization, 'topup-abandoned', row.id, new Date(now.getTime() + patience_ms))
  return row
}

const grantKinds: Readonly<Record<TopupKind, GrantKind>> = {
  topup: 'purchase',
  approval: 'purchase',
  auto: 'auto_topup',
}

/**
 * Grants the credits of a paid top-up, once, and issues a receipt. Called by the request, the webhook and the sweep, in
 * any order and repeatedly, and also for a top-up that has failed or timed out: charged money always grants credits.
 * Returns null if the top-up does not exist.
 */
export async function finishTopup(
  tx: Tx,
  actor: Issuer,
  id: string,
  intent: Pick<Intent, 'id' | 'amount_cents'>,
): Promise<TopupRow | null> {
  const books = await openBooks(tx, actor)
  const row = await findTopup(tx, actor.organization, id)
  if (!row || row.state === 'succeeded') return row
  invariant(
    intent.amount_cents === row.credits,
    `the amount of intent ${intent.id} differs from the amount of its top-up`,
  )
  const { entry_id, lot_id } = grantIn(books, {
    kind: grantKinds[row.kind],
    amount_credits: row.credits,
    reference: { type: 'topup', id },
    note: intent.id,
  })
  const receipt = await receiptIn(books, actor.seller, row)
  await closeBooks(books)
  const change = { state: 'succeeded', intent: intent.id, entry_id, lot_id } as const
  const done = await changeTopup(tx, actor.organization, id, [row.state], change, books.now)
  await removeDeadline(tx, actor.organization, 'topup-abandoned', id)
  await announcePurchase(tx, actor, done!, receipt.number)
  await endFreePlan(tx, actor)
  if (row.kind === 'auto') await forgetDeclines(tx, actor.organization)
  if (row.approval_id !== null) await endApproval(tx, actor.organization, row.approval_id, 'completed')
  return done
}

async function announcePurchase(tx: Tx, actor: Actor, row: TopupRow, receipt_number: string): Promise<void> {
  const { id, kind, credits, lot_id, intent: payment_intent_id } = row
  const topup = { entity_type: 'topup', entity_id: id }
  const aud = credits / 100
  await emit(tx, actor, {
    kind: 'topup.succeeded',
    ...topup,
    data: { kind, credits, aud, payment_intent_id, receipt_number },
  })
  await emit(tx, actor, { kind: 'credits.purchased', ...topup, data: { credits, lot_id } })
}

/** Records the failure of a top-up. Returns false and writes nothing if it has already ended. */
export async function failTopup(
  tx: Tx,
  actor: Actor,
  id: string,
  reason: { readonly code: string | null; readonly intent: string | null },
): Promise<boolean> {
  await lockBooks(tx, actor.organization)
  const now = actor.clock.now()
  const failure_code = reason.code ?? 'declined'
  const change = { state: 'failed', failure_code, intent: reason.intent } as const
  const row = await changeTopup(tx, actor.organization, id, ['starting', 'action'], change, now)
  if (!row) return false
  await removeDeadline(tx, actor.organization, 'topup-abandoned', id)
  const data = { kind: row.kind, credits: row.credits, aud: row.credits / 100, reason: failure_code }
  await emit(tx, actor, { kind: 'topup.failed', entity_type: 'topup', entity_id: id, data })
  if (row.kind === 'auto' && failure_code !== abandoned) await countDecline(tx, actor)
  if (row.approval_id !== null) await endApproval(tx, actor.organization, row.approval_id, 'charge_failed')
  return true
}

/** Enqueues the close task: a failed intent could still be paid until it is cancelled. */
export const closeLater = (tx: Tx, actor: Actor, topup_id: string): Promise<void> =>
  actor.queue.enqueue(tx, closeTopupTask, { organization_id: actor.organization, topup_id })
