import type { Seller } from '../../../platform/seller.ts'
import type { Books } from '../../ledger/books.ts'
import { counts } from '../commitments/commitment-rollup.ts'
import { creditInvoice, remainderOf, requireInvoice } from '../documents/credit-invoice.ts'
import type { DocumentRow } from '../documents/issue-document.ts'
import { monthSpan } from './months.ts'
import { listCommitments, type CommitmentRow } from '../commitments/store.commitments.ts'
import { listFlagged } from './store.delivered.ts'
import { sumCreditedFor } from '../documents/store.invoices.ts'

/**
 * An order from a commitment period that is delivered after its close is charged, although the invoiced shortfall already
 * covered it. Issues a credit note for such charges, once per month, up to the shortfall. The invoiced shortfall does not
 * change.
 */
export async function creditLateDeliveries(books: Books, seller: Seller, period: string): Promise<DocumentRow[]> {
  const notes: DocumentRow[] = []
  for (const row of await listCommitments(books.tx, books.actor.organization)) {
    if (row.invoice_id === null) continue
    const note = await creditOne(books, seller, row, period)
    if (note) notes.push(note)
  }
  return notes
}

async function creditOne(
  books: Books,
  seller: Seller,
  row: CommitmentRow,
  period: string,
): Promise<DocumentRow | null> {
  const { tx, actor } = books
  const { shortfall_cents } = row
  const credited = await sumCreditedFor(tx, actor.organization, { type: 'commitment', id: row.id })
  if (shortfall_cents === null || credited >= shortfall_cents) return null
  const { end } = monthSpan(period)
  const flagged = await listFlagged(tx, actor.organization, row.id)
  const late = flagged.filter(({ at }) => at < end && !counts(row, at))
  const delivered = late.reduce((sum, line) => sum + line.amount_credits, 0)
  const owed = Math.min(delivered, shortfall_cents) - credited
  if (owed <= 0) return null
  const invoice = await requireInvoice(books, row.invoice_id!)
  const left = await remainderOf(books, invoice)
  const cents = Math.min(owed, left.cents)
  if (cents === 0) return null
  return creditInvoice(books, seller, invoice, {
    cents,
    description: `Delivered after the close of "${row.name}", whose minimum was paid`,
    reference: { type: 'commitment', id: `${row.id}:${period}` },
  })
}
