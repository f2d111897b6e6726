import type { Invoice } from '@swath/contract/schemas/billing.ts'
import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import type { RowPage } from '../../../platform/database/select-page.ts'
import { Problem } from '../../../engine/problem.ts'
import { centsToAud, toAudRate } from '../../ledger/aud.ts'
import type { BillingDocument, DocumentLine, DocumentPayment } from './billing-document.ts'
import { findDocumentTax } from './tax-category.ts'
import { isSandboxId } from '../../../platform/ids.ts'
import {
  findBillingDocument,
  listDocuments,
  listInvoicePayments,
  sumCreditNotes,
  type BillingDocumentRow,
} from './store.invoices.ts'

/** A document of an organization. Throws `not-found`. */
export async function requireBillingDocument(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<BillingDocumentRow> {
  const row = await findBillingDocument(db, organization, id)
  if (!row) throw new Problem('not-found', `No invoice, receipt or credit note has the id "${id}".`)
  return row
}

/** Data of a document from after it was stored. */
interface LaterFacts {
  readonly corrected?: BillingDocumentRow | null
  readonly payment?: DocumentPayment | null
}

/** The stored document with its number, its current status, and what earlier versions did not store. */
function toBillingDocument(organization: string, row: BillingDocumentRow, later: LaterFacts): BillingDocument {
  const { document, number, status, paid_at } = row
  const purpose = document.purpose ?? (isSandboxId(organization) ? 'sandbox' : 'billing')
  const seller = { email: null, bank: null, payment_terms: null, ...document.seller }
  const country = document.gst_cents === null ? null : 'AU'
  return {
    ...document,
    purpose,
    number: number ?? 'Draft',
    status: number === null ? 'draft' : status,
    paid_at: paid_at?.toISOString() ?? null,
    // An earlier version named the tax number of the seller on documents of sandboxes.
    seller: purpose === 'billing' ? seller : { ...seller, abn: null },
    buyer: { country, purchase_order_number: null, ...document.buyer },
    payment: document.payment ?? later.payment ?? null,
    reference: later.corrected?.number ?? document.reference,
    reference_issued_at: later.corrected?.issued_at.toISOString() ?? null,
  }
}

/** A document as it is printed now. */
export async function readBillingDocument(
  db: SqlStatementRunner,
  organization: string,
  row: BillingDocumentRow,
): Promise<BillingDocument> {
  const { id, kind, corrects_id } = row
  const corrected = corrects_id === null ? null : await findBillingDocument(db, organization, corrects_id)
  const payments = await listInvoicePayments(db, organization, kind === 'invoice' ? [id] : [])
  return toBillingDocument(organization, row, { corrected, payment: payments.get(id) ?? null })
}

/** The API representations of the newest documents, and the total number. */
export async function listNewestInvoices(
  db: SqlStatementRunner,
  organization: string,
  limit: number,
): Promise<RowPage<Invoice>> {
  const { rows, total } = await listDocuments(db, organization, limit)
  return { rows: await toInvoices(db, organization, rows), total }
}

export async function toBillingInvoice(
  db: SqlStatementRunner,
  organization: string,
  row: BillingDocumentRow,
): Promise<Invoice> {
  return (await toInvoices(db, organization, [row]))[0]!
}

async function toInvoices(
  db: SqlStatementRunner,
  organization: string,
  rows: readonly BillingDocumentRow[],
): Promise<Invoice[]> {
  const invoices = rows.filter(({ kind }) => kind === 'invoice').map(({ id }) => id)
  const credits = await sumCreditNotes(db, organization, invoices)
  const payments = await listInvoicePayments(db, organization, invoices)
  return rows.map((row) => {
    const document = toBillingDocument(organization, row, { payment: payments.get(row.id) ?? null })
    return {
      id: row.id,
      number: row.number,
      kind: row.kind,
      purpose: document.purpose,
      period: row.period,
      status: row.number === null ? 'draft' : row.status,
      currency: 'AUD',
      total_aud: centsToAud(row.total_cents),
      gst_aud: row.gst_cents === null ? null : centsToAud(row.gst_cents),
      credited_aud: centsToAud(credits.get(row.id)?.cents ?? 0),
      belongs_to_id: row.corrects_id,
      issued_at: row.issued_at.toISOString(),
      due_at: row.due_at?.toISOString() ?? null,
      paid_at: row.paid_at?.toISOString() ?? null,
      lines: document.lines.map((line) => toInvoiceLine(line, findDocumentTax(document).code)),
      payment: document.payment,
    }
  })
}

const toInvoiceLine = (
  line: DocumentLine,
  tax_code: Invoice['lines'][number]['tax_code'],
): Invoice['lines'][number] => ({
  description: line.description,
  quantity: Number(line.quantity),
  unit: line.unit,
  unit_price_aud: line.unit_price_cents === null ? null : toAudRate(String(line.unit_price_cents)),
  amount_aud: centsToAud(line.amount_cents),
  order_id: line.order_id,
  scene_id: line.scene_id ?? null,
  tax_code,
})
