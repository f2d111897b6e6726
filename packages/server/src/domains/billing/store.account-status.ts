import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/**
 * Since when the oldest debt of an organization is overdue; null if there is none. A debt is an invoice that is past its
 * due date, an open dispute, or a lost dispute whose amount the wallet did not cover.
 */
export async function findOverdueSince(
  db: SqlStatementRunner,
  organization: string,
  now: OrganizationTime,
): Promise<Date | null> {
  const [row] = await db.query<{ since: Date | null }>(sql`
    select min(debt.since) as since from (
      select due_at as since from invoices
      where organization_id = ${organization} and kind = 'invoice' and status = 'open' and due_at < ${now}
      union all
      select opened_at from payment_disputes
      where organization_id = ${organization}
        and (state = 'open' or (state = 'lost' and held_credits < amount_cents))
    ) debt`)
  return row?.since ?? null
}

/** True if the organization has a default card at the processor of this environment. */
export async function hasDefaultCard(db: SqlStatementRunner, organization: string, env: string): Promise<boolean> {
  const rows = await db.query(sql`
    select id from payment_methods
    where organization_id = ${organization} and env = ${env} and is_default and detached_at is null limit 1`)
  return rows.length > 0
}
