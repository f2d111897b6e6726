import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

interface Interval {
  readonly from: Date
  readonly to: Date
}

/** Events of a kind in an interval, the end not included. */
export async function countEventsOfKind(
  db: Queryable,
  organization: string,
  { kind, from, to }: Interval & { readonly kind: string },
): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::bigint as count from events
    where organization_id = ${organization} and kind = ${kind} and created_at >= ${from} and created_at < ${to}`)
  return row?.count ?? 0
}

/**
 * Credits that the platform has earned from an organization in an interval, less what it gave back; at least zero. Entries of
 * tax are left out: they move the GST that a charge contains, and the organization has paid the whole charge.
 */
export async function sumRevenue(db: Queryable, organization: string, { from, to }: Interval): Promise<number> {
  const [row] = await db.query<{ credits: number }>(sql`
    select greatest(0, coalesce(sum(p.amount_credits), 0))::bigint as credits
    from journal_entries e
    join journal_postings p on p.organization_id = e.organization_id and p.entry_id = e.id
    where e.organization_id = ${organization} and p.account = 'revenue' and e.kind <> 'tax'
      and e.created_at >= ${from} and e.created_at < ${to}`)
  return row?.credits ?? 0
}

/** Sets the stored total of file bytes to the sum of the storage journal; returns the sum. */
export async function resetStorageTotal(tx: Tx, organization: string): Promise<number> {
  const [row] = await tx.query<{ bytes: number }>(sql`
    select coalesce(sum(bytes_delta), 0)::bigint as bytes from storage_journal where organization_id = ${organization}`)
  const bytes = row?.bytes ?? 0
  await tx.query(sql`
    update storage_totals set file_bytes = ${bytes}::bigint where organization_id = ${organization}`)
  return bytes
}
