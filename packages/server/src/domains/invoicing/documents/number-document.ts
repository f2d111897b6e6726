import { assertInvariant, Problem } from '../../../engine/problem.ts'
import type { Actor } from '../../../engine/actor.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { emitInvoiceEvent } from './emit-invoice-event.ts'
import { formatDocumentNumber } from './series.ts'
import {
  findBillingDocument,
  lockBillingDocument,
  claimNextDocumentNumber,
  updateBillingDocumentNumber,
  type BillingDocumentRow,
} from './store.invoices.ts'

/**
 * Assigns a tax document the next number of its seller and series, in a transaction of its own: the counter is locked
 * until it ends, for all organizations, and a number is assigned if and only if a document has it. The document that it
 * corrects is numbered before it. Returns a document that has a number unchanged. Throws `not-found`.
 */
export async function assignDocumentNumber(tx: Tx, actor: Actor, id: string): Promise<BillingDocumentRow> {
  const { organization } = actor
  await lockBillingDocument(tx, organization, id)
  const row = await findBillingDocument(tx, organization, id)
  if (!row) throw new Problem('not-found', `No invoice, receipt or credit note has the id "${id}".`)
  if (row.number !== null) return row
  assertInvariant(row.series !== null && row.seller !== null, 'a document without a number has a series')
  if (row.corrects_id !== null) await assignDocumentNumber(tx, actor, row.corrects_id)
  const sequence = await claimNextDocumentNumber(tx, row.seller, row.series)
  await updateBillingDocumentNumber(tx, organization, id, {
    sequence,
    number: formatDocumentNumber(row.series, sequence),
  })
  const numbered = (await findBillingDocument(tx, organization, id))!
  await emitInvoiceEvent(tx, actor, numbered)
  return numbered
}
