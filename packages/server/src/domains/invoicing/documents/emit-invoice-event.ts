import type { Actor } from '../../../engine/actor.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { emitEvent } from '../../events/emit.ts'
import { centsToAud } from '../../ledger/aud.ts'
import { findBillingDocument, type BillingDocumentRow } from './store.invoices.ts'

/**
 * Emits that an invoice was issued or credited, once the document has its number. Top-ups and payments have events of their
 * own, which name their receipts by id.
 */
export async function emitInvoiceEvent(tx: Tx, actor: Actor, row: BillingDocumentRow): Promise<void> {
  const { id, kind, number, period, due_at, corrects_id } = row
  const total_aud = centsToAud(row.total_cents)
  if (kind === 'invoice' && period !== null && due_at !== null) {
    const data = { number, period, total_aud, due_at: due_at.toISOString() }
    await emitEvent(tx, actor, { kind: 'invoice.issued', entity_type: 'invoice', entity_id: id, data })
  }
  if (kind !== 'credit_note' || corrects_id === null) return
  const corrected = await findBillingDocument(tx, actor.organization, corrects_id)
  if (corrected?.kind !== 'invoice') return
  const data = { number, corrects: corrected.number, total_aud }
  await emitEvent(tx, actor, { kind: 'invoice.credited', entity_type: 'invoice', entity_id: corrects_id, data })
}
