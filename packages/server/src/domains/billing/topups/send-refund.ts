import { createTaskActor, type TaskContext } from '../../../engine/task.ts'
import { assertInvariant } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { PaymentIntent } from '../../../platform/integrations/payments/payments.ts'
import { emitEvent } from '../../events/emit.ts'
import { flushLedgerSession, openLedgerSession } from '../../ledger/ledger-session.ts'
import { restoreCredits, recordRefundPayout } from '../../ledger/reverse-credits.ts'
import { recordExternalRefund, emitTopupRefunded } from './external-refund.ts'
import type { DocumentIssuer } from '../../invoicing/documents/issue-document.ts'
import { isPaymentProcessorRejection } from '../../card-payments/payment-problems.ts'
import { issueTopupCreditNote } from './topup-receipts.ts'
import { markTopupRefundClosed, findTopupRefund, type TopupRefundRow } from './store.refunds.ts'
import { updateTopupRefundedCredits, findTopup, type TopupRow } from './store.topups.ts'

/**
 * Requests a refund of reversed credits from the processor and records the result. If the processor rejects it, the
 * credits return to their lot. Idempotent.
 */
export async function sendTopupRefund(job: TaskContext, organization: string, id: string): Promise<void> {
  const db = job.database.forOrganization(organization)
  const actor = createTaskActor(job, organization)
  const row = await findTopupRefund(db, organization, id)
  if (row?.state !== 'starting') return
  const topup = await findTopup(db, organization, row.topup_id)
  assertInvariant(topup?.intent, 'only a paid top-up is refunded')
  const intent = await job.integrations.payments.find(topup.intent)
  const result = await requestRefund(job, { organization_id: organization, row, topup, intent })
  await db.transaction((tx) =>
    result.refused
      ? failRefund(tx, actor, { row, topup, intent })
      : completeRefund(tx, actor, { row, topup, processor_refund: result.refund }),
  )
}

type RefundResult = { readonly refused: true } | { readonly refused: false; readonly refund: string | null }

/** Processors keep idempotency keys for a day, so totals decide whether the recorded refunds were already sent. */
async function requestRefund(
  job: TaskContext,
  {
    organization_id,
    row,
    topup,
    intent,
  }: {
    readonly organization_id: string
    readonly row: TopupRefundRow
    readonly topup: TopupRow
    readonly intent: PaymentIntent
  },
): Promise<RefundResult> {
  if (intent.refunded_cents >= topup.refunded_credits) return { refused: false, refund: null }
  const metadata = { organization_id, refund_id: row.id }
  const request = { intent: intent.id, amount_cents: row.credits, metadata }
  try {
    const { id, status } = await job.integrations.payments.refund(request, row.entry_id)
    return status === 'failed' || status === 'canceled' ? { refused: true } : { refused: false, refund: id }
  } catch (error) {
    if (isPaymentProcessorRejection(error)) return { refused: true }
    throw error
  }
}

const entryDetails = (row: TopupRefundRow, note: string | null) => ({ reference: { type: 'refund', id: row.id }, note })

async function completeRefund(
  tx: Tx,
  actor: DocumentIssuer,
  {
    row,
    topup,
    processor_refund,
  }: { readonly row: TopupRefundRow; readonly topup: TopupRow; readonly processor_refund: string | null },
): Promise<void> {
  const ledger = await openLedgerSession(tx, actor)
  const outcome = { state: 'succeeded', processor_refund } as const
  if (!(await markTopupRefundClosed(tx, { organization: actor.organization, id: row.id, outcome, at: ledger.now })))
    return
  recordRefundPayout(ledger, { kind: 'payment', amount_credits: row.credits, ...entryDetails(row, processor_refund) })
  const note = await issueTopupCreditNote(ledger, {
    seller: actor.seller,
    topup,
    credits: row.credits,
    reference: { type: 'refund', id: row.id },
  })
  await flushLedgerSession(ledger)
  await emitTopupRefunded(tx, actor, topup.id, { credits: row.credits, taken_credits: row.credits, note })
}

/** The refund failed, so the credits return; then a refund that was made at the processor is recorded as external. */
async function failRefund(
  tx: Tx,
  actor: DocumentIssuer,
  { row, topup, intent }: { readonly row: TopupRefundRow; readonly topup: TopupRow; readonly intent: PaymentIntent },
): Promise<void> {
  const ledger = await openLedgerSession(tx, actor)
  const outcome = { state: 'failed', processor_refund: null } as const
  if (!(await markTopupRefundClosed(tx, { organization: actor.organization, id: row.id, outcome, at: ledger.now })))
    return
  assertInvariant(topup.lot_id, 'a top-up that was paid has a lot')
  // Purchased credits do not expire.
  const lots = [{ lot_id: topup.lot_id, amount_credits: row.credits, expires_at: null }]
  restoreCredits(ledger, { kind: 'refund', lots, ...entryDetails(row, 'The payment processor rejected the refund.') })
  await flushLedgerSession(ledger)
  await updateTopupRefundedCredits(tx, actor.organization, topup.id, -row.credits)
  const data = { credits: row.credits, aud: row.credits / 100 }
  await emitEvent(tx, actor, { kind: 'topup.refund_failed', entity_type: 'topup', entity_id: topup.id, data })
  await recordExternalRefund(tx, actor, topup.id, intent)
}
