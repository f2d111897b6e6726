import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../../platform/database/select-page.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { BillingDocument, DocumentPayment, StoredBillingDocument } from './billing-document.ts'

export type BillingDocumentStatus = 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'

/**
 * An invoice, receipt or credit note: `document` is immutable; status and payment date change, and it gets its number after
 * the transaction that issues it.
 */
export interface BillingDocumentRow {
  readonly id: string
  /** Null until it has one. */
  readonly number: string | null
  /** The seller and the series of its number, and its place there; null for documents of before the series. */
  readonly seller: string | null
  readonly series: string | null
  readonly sequence: number | null
  readonly kind: BillingDocument['kind']
  readonly period: string | null
  readonly status: BillingDocumentStatus
  readonly total_cents: number
  readonly gst_cents: number | null
  readonly corrects_id: string | null
  readonly reference_type: string | null
  readonly reference_id: string | null
  readonly document: StoredBillingDocument
  readonly issued_at: Date
  readonly due_at: Date | null
  readonly paid_at: Date | null
}

const columns = sql`
  id, number, seller, series, sequence, kind, period, status, total_cents, gst_cents, corrects_id, reference_type,
  reference_id, document, issued_at, due_at, paid_at`

/**
 * Counts the documents of a series that belongs to one organization. None is ever deleted, so under the ledger lock the next
 * number is one more.
 */
export async function countBillingDocuments(tx: Tx, organization: string, series: string): Promise<number> {
  const [row] = await tx.query<{ total: number }>(sql`
    select count(*) as total from invoices where organization_id = ${organization} and series = ${series}`)
  return row?.total ?? 0
}

/** Takes the next number of a seller and series, for all organizations; others wait until the transaction ends. */
export async function claimNextDocumentNumber(tx: Tx, seller: string, series: string): Promise<number> {
  const [row] = await tx.query<{ last_sequence: number }>(sql`
    insert into document_series (seller, series, last_sequence) values (${seller}, ${series}, 1)
    on conflict (seller, series) do update set last_sequence = document_series.last_sequence + 1
    returning last_sequence`)
  return row!.last_sequence
}

/** Keeps other transactions from changing a document until this one ends. */
export async function lockBillingDocument(tx: Tx, organization: string, id: string): Promise<void> {
  await tx.query(sql`
    select id from invoices where organization_id = ${organization} and id = ${id} for update`)
}

export async function updateBillingDocumentNumber(
  tx: Tx,
  organization: string,
  id: string,
  { sequence, number }: { readonly sequence: number; readonly number: string },
): Promise<void> {
  await tx.query(sql`
    update invoices set sequence = ${sequence}, number = ${number}
    where organization_id = ${organization} and id = ${id}`)
}

export async function insertBillingDocument(tx: Tx, organization: string, row: BillingDocumentRow): Promise<void> {
  await tx.query(sql`
    insert into invoices (organization_id, id, number, seller, series, sequence, kind, period, status, total_cents,
                          gst_cents, corrects_id, reference_type, reference_id, document, issued_at, due_at, paid_at,
                          created_at)
    values (${organization}, ${row.id}, ${row.number}, ${row.seller}, ${row.series}, ${row.sequence}, ${row.kind},
            ${row.period}, ${row.status}, ${row.total_cents}, ${row.gst_cents}, ${row.corrects_id},
            ${row.reference_type}, ${row.reference_id}, ${sql.json(row.document)}, ${row.issued_at}, ${row.due_at},
            ${row.paid_at}, ${row.issued_at})`)
}

export async function findBillingDocument(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<BillingDocumentRow | null> {
  const [row] = await db.query<BillingDocumentRow>(sql`
    select ${columns} from invoices where organization_id = ${organization} and id = ${id}`)
  return row ?? null
}

/** Newest first. */
export const listDocuments = (
  db: SqlStatementRunner,
  organization: string,
  limit: number,
): Promise<RowPage<BillingDocumentRow>> =>
  selectPage(db, {
    columns,
    from: sql`invoices`,
    where: sql`organization_id = ${organization}`,
    orderBy: sql`created_at desc, id desc`,
    limit,
  })

/** Updates the status and payment date; the document itself does not change. */
export async function updateBillingDocumentStatus(
  tx: Tx,
  organization: string,
  id: string,
  change: { readonly status: BillingDocumentStatus; readonly paid_at: Date | null },
): Promise<void> {
  await tx.query(sql`
    update invoices set status = ${change.status}, paid_at = ${change.paid_at}
    where organization_id = ${organization} and id = ${id}`)
}

/** The sums of the credit notes of these invoices, by invoice id. */
export async function sumCreditNotes(
  db: SqlStatementRunner,
  organization: string,
  ids: readonly string[],
): Promise<Map<string, { cents: number; gst_cents: number }>> {
  const rows = await db.query<{ id: string; cents: number; gst_cents: number }>(sql`
    select corrects_id as id, sum(total_cents)::bigint as cents, coalesce(sum(gst_cents), 0)::bigint as gst_cents
    from invoices
    where organization_id = ${organization} and kind = 'credit_note' and corrects_id = any (${[...ids]}::uuid[])
    group by corrects_id`)
  return new Map(rows.map(({ id, ...sums }) => [id, sums]))
}

/** Credit notes of invoices that were issued within a date range, oldest first. */
export async function listInvoiceCreditNotes(
  db: SqlStatementRunner,
  organization: string,
  { start, end }: { readonly start: Date; readonly end: Date },
): Promise<BillingDocumentRow[]> {
  return db.query<BillingDocumentRow>(sql`
    select ${columns} from invoices note
    where organization_id = ${organization} and kind = 'credit_note' and issued_at >= ${start} and issued_at < ${end}
      and exists (select 1 from invoices corrected
                  where corrected.organization_id = note.organization_id and corrected.id = note.corrects_id
                    and corrected.kind = 'invoice')
    order by issued_at, id`)
}

/** The sum in cents of the credit notes whose reference id starts with this id. */
export async function sumCreditNotesFor(
  db: SqlStatementRunner,
  organization: string,
  reference: { readonly type: string; readonly id: string },
): Promise<number> {
  const [row] = await db.query<{ cents: number }>(sql`
    select coalesce(sum(total_cents), 0)::bigint as cents from invoices
    where organization_id = ${organization} and kind = 'credit_note' and reference_type = ${reference.type}
      and split_part(reference_id, ':', 1) = ${reference.id}`)
  return row?.cents ?? 0
}

/** The document of a kind for a reference, such as a top-up; there is at most one. */
export async function findBillingDocumentByReference(
  db: SqlStatementRunner,
  organization: string,
  kind: BillingDocumentRow['kind'],
  reference: { readonly type: string; readonly id: string },
): Promise<BillingDocumentRow | null> {
  const [row] = await db.query<BillingDocumentRow>(sql`
    select ${columns} from invoices
    where organization_id = ${organization} and kind = ${kind} and reference_type = ${reference.type}
      and reference_id = ${reference.id}`)
  return row ?? null
}

/** The payments of these invoices, as their receipts state them, by invoice id. */
export async function listInvoicePayments(
  db: SqlStatementRunner,
  organization: string,
  ids: readonly string[],
): Promise<Map<string, DocumentPayment | null>> {
  const rows = await db.query<{ id: string; payment: DocumentPayment | null }>(sql`
    select corrects_id as id, document -> 'payment' as payment from invoices
    where organization_id = ${organization} and kind = 'receipt' and corrects_id = any (${[...ids]}::uuid[])`)
  return new Map(rows.map(({ id, payment }) => [id, payment]))
}
