import type { Invoice } from '@swath/contract/schemas/billing.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { RowPage } from '../../../platform/database/select-page.ts'
import { Problem } from '../../../engine/problem.ts'
import { centsToAud, toAudRate } from '../../ledger/aud.ts'
import type { BillingDocument, DocumentLine } from './documents.ts'
import { findDocument, listDocuments, sumCreditNotes, type DocumentRow } from './store.invoices.ts'

/** A document of an organization. Throws `not-found`. */
export async function requireDocument(db: Queryable, organization: string, id: string): Promise<DocumentRow> {
  const row = await findDocument(db, organization, id)
  if (!row) throw new Problem('not-found', `No invoice, receipt or credit note has the id "${id}".`)
  return row
}

/** The stored document with its current status and payment date. */
export const withCurrentStatus = ({ document, status, paid_at }: DocumentRow): BillingDocument => ({
  ...document,
  status,
  paid_at: paid_at?.toISOString() ?? null,
})

/** The API representations of the newest documents, and the total number. */
export async function listNewestInvoices(
  db: Queryable,
  organization: string,
  limit: number,
): Promise<RowPage<Invoice>> {
  const { rows, total } = await listDocuments(db, organization, limit)
  return { rows: await toInvoices(db, organization, rows), total }
}

export async function toInvoice(db: Queryable, organization: string, row: DocumentRow): Promise<Invoice> {
  return (await toInvoices(db, organization, [row]))[0]!
}

async function toInvoices(db: Queryable, organization: string, rows: readonly DocumentRow[]): Promise<Invoice[]> {
  const invoices = rows.filter(({ kind }) => kind === 'invoice').map(({ id }) => id)
  const credits = await sumCreditNotes(db, organization, invoices)
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    kind: row.kind,
    period: row.period,
    status: row.status,
    currency: 'AUD',
    total_aud: centsToAud(row.total_cents),
    gst_aud: row.gst_cents === null ? null : centsToAud(row.gst_cents),
    credited_aud: centsToAud(credits.get(row.id)?.cents ?? 0),
    belongs_to_id: row.corrects_id,
    issued_at: row.issued_at.toISOString(),
    due_at: row.due_at?.toISOString() ?? null,
    paid_at: row.paid_at?.toISOString() ?? null,
    lines: row.document.lines.map(toInvoiceLine),
  }))
}

const toInvoiceLine = (line: DocumentLine): Invoice['lines'][number] => ({
  description: line.description,
  quantity: Number(line.quantity),
  unit: line.unit,
  unit_price_aud: line.unit_price_cents === null ? null : toAudRate(String(line.unit_price_cents)),
  amount_aud: centsToAud(line.amount_cents),
  order_id: line.order_id,
})
