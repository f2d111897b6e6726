import type { SellerSettings } from '../../../platform/seller.ts'
import type { LedgerSession } from '../../ledger/ledger-session.ts'
import { countsTowardsPeriod } from '../../contracts/commitment-rollup.ts'
import { creditInvoice, computeRemainder, requireInvoice } from '../documents/credit-invoice.ts'
import { monthRange } from '../../contracts/months.ts'
import { listCommitments, type CommitmentRow } from '../../contracts/store.commitments.ts'
import { listDeliveredUnderCommitment } from '../../contracts/store.delivered.ts'
import { sumCreditNotesFor, type DocumentRow } from '../documents/store.invoices.ts'

/**
 * An order from a commitment period that is delivered after its close is charged, although the invoiced shortfall already
 * covered it. Issues a credit note for such charges, once per month, up to the shortfall. The invoiced shortfall does not
 * change.
 */
export async function issueLateDeliveryCredits(
  ledger: LedgerSession,
  seller: SellerSettings,
  period: string,
): Promise<DocumentRow[]> {
  const notes: DocumentRow[] = []
  for (const row of await listCommitments(ledger.tx, ledger.actor.organization)) {
    if (row.invoice_id === null) continue
    const note = await creditLateDeliveriesOf(ledger, seller, row, period)
    if (note) notes.push(note)
  }
  return notes
}

async function creditLateDeliveriesOf(
  ledger: LedgerSession,
  seller: SellerSettings,
  row: CommitmentRow,
  period: string,
): Promise<DocumentRow | null> {
  const { tx, actor } = ledger
  const { shortfall_cents } = row
  const credited = await sumCreditNotesFor(tx, actor.organization, { type: 'commitment', id: row.id })
  if (shortfall_cents === null || credited >= shortfall_cents) return null
  const { end } = monthRange(period)
  const deliveredLines = await listDeliveredUnderCommitment(tx, actor.organization, row.id)
  const lateLines = deliveredLines.filter(({ at }) => at < end && !countsTowardsPeriod(row, at))
  const delivered = lateLines.reduce((sum, line) => sum + line.amount_credits, 0)
  const owed = Math.min(delivered, shortfall_cents) - credited
  if (owed <= 0) return null
  const invoice = await requireInvoice(ledger, row.invoice_id!)
  const remainder = await computeRemainder(ledger, invoice)
  const cents = Math.min(owed, remainder.cents)
  if (cents === 0) return null
  return creditInvoice(ledger, seller, invoice, {
    cents,
    description: `Delivered after the close of "${row.name}", whose minimum was paid`,
    reference: { type: 'commitment', id: `${row.id}:${period}` },
  })
}
