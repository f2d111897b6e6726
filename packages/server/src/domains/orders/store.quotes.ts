import type { PriceGroup } from '@swath/contract/schemas/price.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { acquireAdvisoryLock } from '../../platform/database/named-lock.ts'
import { sql } from '../../platform/database/sql.ts'
import type { QuotedCapture } from './quote.ts'
import type { PricedHostTask } from './tasking/task-requests.ts'

/** A priced capture with the name of its host and its part of the total. */
export type QuotedCaptureRow = Omit<QuotedCapture, 'host'> & { readonly host: string; readonly share_credits: number }

/** A priced area with the names of its host and product. */
export type QuotedHostTaskRow = Omit<PricedHostTask, 'offer'> & { readonly host: string; readonly product: string }

export interface OrderQuoteRow {
  readonly id: string
  readonly captures: readonly QuotedCaptureRow[]
  /** The areas of a quote for a tasking order; null for scenes of archives. */
  readonly tasks: readonly QuotedHostTaskRow[] | null
  readonly groups: readonly PriceGroup[]
  readonly total_credits: number
  readonly created_by: string
  readonly created_at: Date
  readonly expires_at: Date
  /** The order that used it. */
  readonly order_id: string | null
}

export async function insertOrderQuote(tx: Tx, organization: string, row: OrderQuoteRow): Promise<void> {
  await tx.query(sql`
    insert into order_quotes
      (organization_id, id, captures, tasks, groups, total_credits, created_by, created_at, expires_at)
    values (${organization}, ${row.id}, ${sql.json(row.captures)}, ${row.tasks && sql.json(row.tasks)},
            ${sql.json(row.groups)}, ${row.total_credits}, ${row.created_by}, ${row.created_at}, ${row.expires_at})`)
}

export async function findOrderQuote(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<OrderQuoteRow | null> {
  const [row] = await db.query<OrderQuoteRow>(sql`
    select id, captures, tasks, groups, total_credits, created_by, created_at, expires_at, order_id
    from order_quotes where organization_id = ${organization} and id = ${id}`)
  return row ?? null
}

/**
 * Quotes that an order may use. Other transactions that count wait until this one ends, so that two quotes at once do not pass
 * the limit.
 */
export async function lockAndCountOpenQuotes(tx: Tx, organization: string, now: OrganizationTime): Promise<number> {
  await acquireAdvisoryLock(tx, `open quotes of ${organization}`)
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from order_quotes where organization_id = ${organization} and order_id is null and expires_at > ${now}`)
  return Number(row?.count ?? 0)
}

/** True if the quote was open; it is the order's from then on. */
export async function markOrderQuoteUsed(
  tx: Tx,
  organization: string,
  { id, order_id, now }: { readonly id: string; readonly order_id: string; readonly now: OrganizationTime },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update order_quotes set order_id = ${order_id}
    where organization_id = ${organization} and id = ${id} and order_id is null and expires_at > ${now}
    returning id`)
  return rows.length > 0
}

/** Quotes stay for an hour after their end, so that who names one learns that it has expired. */
export async function deleteExpiredOrderQuotes(tx: Tx, organization: string, now: OrganizationTime): Promise<void> {
  await tx.query(sql`
    delete from order_quotes
    where organization_id = ${organization} and order_id is null and expires_at < ${now}::timestamptz - interval '1 hour'`)
}
