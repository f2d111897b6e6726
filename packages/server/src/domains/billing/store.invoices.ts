import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { BillingDocument } from './documents.ts'

export type DocumentStatus = 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'

/** An invoice, receipt or credit note: what it says is `document`, fixed when it was issued; status and payment are its fate. */
export interface DocumentRow {
  readonly id: string
  readonly number: string
  readonly kind: BillingDocument['kind']
  readonly period: string | null
  readonly status: DocumentStatus
  readonly total_cents: number
  readonly gst_cents: number | null
  readonly corrects_id: string | null
  readonly reference_type: string | null
  readonly reference_id: string | null
  readonly document: BillingDocument
  readonly issued_at: Date
  readonly due_at: Date | null
  readonly paid_at: Date | null
}

const columns = sql`
  id, number, kind, period, status, total_cents, gst_cents, corrects_id, reference_type, reference_id, document,
  issued_at, due_at, paid_at`

/** How many documents of a kind there are. None is ever deleted, so under the lock of the head the next number is one more. */
export async function countDocuments(tx: Tx, organization: string, kind: DocumentRow['kind']): Promise<number> {
  const [row] = await tx.query<{ total: number }>(sql`
    select count(*) as total from invoices where organization_id = ${organization} and kind = ${kind}`)
  return row?.total ?? 0
}

export async function insertDocument(tx: Tx, organization: string, row: DocumentRow): Promise<void> {
  await tx.query(sql`
    insert into invoices (organization_id, id, number, kind, period, status, total_cents, gst_cents, corrects_id,
                          reference_type, reference_id, document, issued_at, due_at, paid_at, created_at)
    values (${organization}, ${row.id}, ${row.number}, ${row.kind}, ${row.period}, ${row.status}, ${row.total_cents},
            ${row.gst_cents}, ${row.corrects_id}, ${row.reference_type}, ${row.reference_id}, ${sql.json(row.document)},
            ${row.issued_at}, ${row.due_at}, ${row.paid_at}, ${row.issued_at})`)
}

/** The document of a kind that was issued for one thing, such as a top-up: there is at most one. */
export async function findDocumentFor(
  db: Queryable,
  organization: string,
  kind: DocumentRow['kind'],
  reference: { readonly type: string; readonly id: string },
): Promise<DocumentRow | null> {
  const [row] = await db.query<DocumentRow>(sql`
    select ${columns} from invoices
    where organization_id = ${organization} and kind = ${kind} and reference_type = ${reference.type}
      and reference_id = ${reference.id}`)
  return row ?? null
}
