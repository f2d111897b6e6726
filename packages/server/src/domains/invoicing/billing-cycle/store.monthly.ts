import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** The result of closing a month of an organization. */
export interface MonthlyRunRow {
  readonly period: string
  readonly invoice_id: string | null
  readonly trued_up_cents: number
  readonly expired_credits: number
  readonly granted_credits: number
}

export async function findMonthlyRun(
  db: SqlStatementRunner,
  organization: string,
  period: string,
): Promise<MonthlyRunRow | null> {
  const [row] = await db.query<MonthlyRunRow>(sql`
    select period, invoice_id, trued_up_cents, expired_credits, granted_credits
    from monthly_runs where organization_id = ${organization} and period = ${period}`)
  return row ?? null
}

/** The newest closed month; null if there is none. */
export async function findLastClosedMonth(db: SqlStatementRunner, organization: string): Promise<string | null> {
  const [row] = await db.query<{ period: string | null }>(sql`
    select max(period) as period from monthly_runs where organization_id = ${organization}`)
  return row?.period ?? null
}

export async function insertMonthlyBillingRun(
  tx: Tx,
  organization: string,
  row: MonthlyRunRow,
  now: OrganizationTime,
): Promise<void> {
  await tx.query(sql`
    insert into monthly_runs (organization_id, period, invoice_id, trued_up_cents, expired_credits, granted_credits,
                              created_at)
    values (${organization}, ${row.period}, ${row.invoice_id}, ${row.trued_up_cents}, ${row.expired_credits},
            ${row.granted_credits}, ${now})`)
}

/** A stored statement, parsed from JSON. */
export async function findMonthlyStatement<T>(
  db: SqlStatementRunner,
  organization: string,
  period: string,
): Promise<T | null> {
  const [row] = await db.query<{ statement: T }>(sql`
    select statement from monthly_statements where organization_id = ${organization} and period = ${period}`)
  return row?.statement ?? null
}

export async function insertMonthlyStatement(
  tx: Tx,
  {
    organization,
    period,
    statement,
    now,
  }: {
    readonly organization: string
    readonly period: string
    readonly statement: object
    readonly now: OrganizationTime
  },
): Promise<void> {
  await tx.query(sql`
    insert into monthly_statements (organization_id, period, statement, created_at)
    values (${organization}, ${period}, ${sql.json(statement)}, ${now})`)
}
