import { actorOf, type Job } from '../../../engine/task.ts'
import { invariant } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Intent } from '../../../platform/outside/payments/payments.ts'
import { emit } from '../../events/emit.ts'
import { closeBooks, openBooks } from '../../ledger/books.ts'
import { bringBack, payOut } from '../../ledger/take-back.ts'
import { bookOutsideRefund, tellRefunded } from '../processor/apply-refund.ts'
import type { Issuer } from '../documents/issue-document.ts'
import { isRefusal } from '../cards/payment-problems.ts'
import { creditNoteIn } from '../documents/receipts.ts'
import { endRefund, findRefund, type RefundRow } from './store.refunds.ts'
import { addRefunded, findTopup, type TopupRow } from './store.topups.ts'

/**
 * Requests a refund of reversed credits from the processor and records the result. If the processor rejects it, the
 * credits return to their lot. Idempotent.
 */
export async function sendRefund(job: Job, organization: string, id: string): Promise<void> {
  const db = job.database.of(organization)
  const actor = actorOf(job, organization)
  const row = await findRefund(db, organization, id)
  if (row?.state !== 'starting') return
  const topup = await findTopup(db, organization, row.topup_id)
  invariant(topup?.intent, 'only a paid top-up is refunded')
  const intent = await job.outside.payments.find(topup.intent)
  const sent = await askForMoney(job, organization, row, topup, intent)
  await db.transaction((tx) =>
    sent.refused ? takeUp(tx, actor, row, topup, intent) : succeed(tx, actor, row, topup, sent.refund),
  )
}

type Sent = { readonly refused: true } | { readonly refused: false; readonly refund: string | null }

/** Processors keep idempotency keys for a day, so totals decide whether the recorded refunds were already sent. */
async function askForMoney(
  job: Job,
  organization_id: string,
  row: RefundRow,
  topup: TopupRow,
  intent: Intent,
): Promise<Sent> {
  if (intent.refunded_cents >= topup.refunded_credits) return { refused: false, refund: null }
  const metadata = { organization_id, refund_id: row.id }
  const terms = { intent: intent.id, amount_cents: row.credits, metadata }
  try {
    const { id, status } = await job.outside.payments.refund(terms, row.entry_id)
    return status === 'failed' || status === 'canceled' ? { refused: true } : { refused: false, refund: id }
  } catch (error) {
    if (isRefusal(error)) return { refused: true }
    throw error
  }
}

const wording = (row: RefundRow, note: string | null) => ({ reference: { type: 'refund', id: row.id }, note })

async function succeed(
  tx: Tx,
  actor: Issuer,
  row: RefundRow,
  topup: TopupRow,
  processor_refund: string | null,
): Promise<void> {
  const books = await openBooks(tx, actor)
  const end = { state: 'succeeded', processor_refund } as const
  if (!(await endRefund(tx, actor.organization, row.id, end, books.now))) return
  payOut(books, { kind: 'payment', amount_credits: row.credits, ...wording(row, processor_refund) })
  const note = await creditNoteIn(books, actor.seller, topup, row.credits, { type: 'refund', id: row.id })
  await closeBooks(books)
  await tellRefunded(tx, actor, topup.id, { credits: row.credits, taken_credits: row.credits, note })
}

/** The refund failed, so the credits return; then a refund that was made at the processor is recorded as external. */
async function takeUp(tx: Tx, actor: Issuer, row: RefundRow, topup: TopupRow, intent: Intent): Promise<void> {
  const books = await openBooks(tx, actor)
  const end = { state: 'failed', processor_refund: null } as const
  if (!(await endRefund(tx, actor.organization, row.id, end, books.now))) return
  invariant(topup.lot_id, 'a top-up that was paid has a lot')
  // Purchased credits do not expire.
  const lots = [{ lot_id: topup.lot_id, amount_credits: row.credits, expires_at: null }]
  bringBack(books, { kind: 'refund', lots, ...wording(row, 'The payment processor rejected the refund.') })
  await closeBooks(books)
  await addRefunded(tx, actor.organization, topup.id, -row.credits)
  const data = { credits: row.credits, aud: row.credits / 100 }
  await emit(tx, actor, { kind: 'topup.refund_failed', entity_type: 'topup', entity_id: topup.id, data })
  await bookOutsideRefund(tx, actor, topup.id, intent)
}
