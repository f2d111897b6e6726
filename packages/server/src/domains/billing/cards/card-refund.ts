import type { Tx } from '../../../platform/database/database.ts'
import type { Intent } from '../../../platform/outside/payments/payments.ts'
import { emit } from '../../events/emit.ts'
import { closeBooks, openBooks } from '../../ledger/books.ts'
import { payOut } from '../../ledger/take-back.ts'
import { cardReceiptIn } from '../documents/card-receipt.ts'
import { creditReceiptIn, givenBack } from '../documents/credit-receipt.ts'
import type { Issuer } from '../documents/issue-document.ts'
import { addCardRefunded, findAuthorisation } from './store.authorisations.ts'

/**
 * Records a refund that was made at the processor for a card payment, and issues a credit note. Compares totals, so that
 * repeated events do no harm. Throws if the capture is not recorded yet; the task then retries.
 */
export async function bookCardRefund(tx: Tx, actor: Issuer, id: string, intent: Intent): Promise<void> {
  const books = await openBooks(tx, actor)
  const row = await findAuthorisation(tx, actor.organization, id)
  const credits = row ? intent.refunded_cents - row.refunded_credits : 0
  if (!row || credits <= 0) return
  if (row.state !== 'captured') throw new Error('the refund of a card payment arrived before its capture was recorded')
  const reference = { type: 'authorisation', id: `${id}:${intent.refunded_cents}` }
  payOut(books, { kind: 'refund', amount_credits: credits, reference, note: intent.id })
  const receipt = await cardReceiptIn(books, actor.seller, row)
  const order_id = row.reference_type === 'order' ? row.reference_id : null
  const line = givenBack('Refunded to the card', order_id)
  const note = await creditReceiptIn(books, actor.seller, receipt, { cents: credits, reference, line })
  await closeBooks(books)
  await addCardRefunded(tx, actor.organization, id, credits)
  const { reference_type: entity_type, reference_id: entity_id } = row
  const data = { aud: credits / 100, payment_intent_id: intent.id, credit_note_number: note?.number ?? null }
  await emit(tx, actor, { kind: 'payment.refunded', entity_type, entity_id, data })
}
