import { actorOf, type Job } from '../../../engine/task.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Intent } from '../../../platform/outside/payments/payments.ts'
import { emit, type Actor } from '../../events/emit.ts'
import { closeBooks, openBooks } from '../../ledger/books.ts'
import { payOut, takeBack } from '../../ledger/take-back.ts'
import type { DocumentRow, Issuer } from '../documents/issue-document.ts'
import { bookCardRefund } from '../cards/card-refund.ts'
import type { OwnIntent } from './payment-owner.ts'
import { creditNoteIn } from '../documents/receipts.ts'
import { addRefunded } from '../topups/store.topups.ts'
import { finishTopup } from '../topups/topup.ts'

/** Records refunds that were made at the processor and not by this server. */
export async function applyRefund(job: Job, own: OwnIntent): Promise<void> {
  const { intent, organization, topup_id, authorisation_id } = own
  if (intent.status !== 'succeeded') return
  const actor = actorOf(job, organization)
  await job.database.of(organization).transaction(async (tx) => {
    if (topup_id !== null) await bookOutsideRefund(tx, actor, topup_id, intent)
    else if (authorisation_id !== null) await bookCardRefund(tx, actor, authorisation_id, intent)
  })
}

/**
 * Compares the refunded total at the processor with the recorded one, which includes refunds in progress; the difference
 * was refunded externally. Reverses its credits as far as the wallet covers them, and issues a credit note. Comparing
 * totals makes the result independent of the number and order of events.
 */
export async function bookOutsideRefund(tx: Tx, actor: Issuer, topup_id: string, intent: Intent): Promise<void> {
  // The refund event may arrive before the charge event, so complete the top-up first.
  const row = await finishTopup(tx, actor, topup_id, intent)
  const books = await openBooks(tx, actor)
  const credits = row ? intent.refunded_cents - row.refunded_credits : 0
  if (!row || credits <= 0) return
  const reference = { type: 'topup', id: topup_id }
  const note = intent.id
  const { lots } = takeBack(books, { kind: 'refund', amount_credits: credits, first: row.lot_id, reference, note })
  payOut(books, { kind: 'payment', amount_credits: credits, reference, note })
  const credit = await creditNoteIn(books, actor.seller, row, credits, {
    type: 'topup',
    id: `${topup_id}:${intent.refunded_cents}`,
  })
  await closeBooks(books)
  await addRefunded(tx, actor.organization, topup_id, credits)
  const taken_credits = lots.reduce((sum, lot) => sum + lot.amount_credits, 0)
  await tellRefunded(tx, actor, topup_id, { credits, taken_credits, note: credit })
}

/** Emits the refunded amount, and how much of it the wallet covered. */
export function tellRefunded(
  tx: Tx,
  actor: Actor,
  entity_id: string,
  { credits, taken_credits, note }: { credits: number; taken_credits: number; note: DocumentRow | null },
): Promise<void> {
  const data = { credits, aud: credits / 100, taken_credits, credit_note_number: note?.number ?? null }
  return emit(tx, actor, { kind: 'topup.refunded', entity_type: 'topup', entity_id, data })
}
