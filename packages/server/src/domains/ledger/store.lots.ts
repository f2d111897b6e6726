import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import { sql } from '../../platform/database/sql.ts'

/** A lot with all its amounts: granted = available + held + captured + expired + refunded. */
export interface CreditLotRow {
  readonly id: string
  readonly kind: string
  readonly priority: number
  readonly granted_credits: number
  readonly available_credits: number
  readonly held_credits: number
  readonly captured_credits: number
  readonly expired_credits: number
  readonly refunded_credits: number
  readonly expires_at: Date | null
  readonly created_at: Date
}

/** All lots, also used-up ones, newest first. */
export const listCreditLots = (
  db: SqlStatementRunner,
  organization: string,
  page: { limit: number; offset: number },
): Promise<RowPage<CreditLotRow>> =>
  selectPage(db, {
    columns: sql`id, kind, priority, granted_credits, available_credits, held_credits, captured_credits,
      expired_credits, refunded_credits, expires_at, created_at`,
    from: sql`credit_lots`,
    where: sql`organization_id = ${organization}`,
    orderBy: sql`created_at desc, id desc`,
    limit: page.limit,
    offset: page.offset,
  })

/** The available credits and the expiry of these lots. */
export async function findCreditLots(
  db: SqlStatementRunner,
  organization: string,
  ids: readonly string[],
): Promise<{ id: string; available_credits: number; expires_at: Date | null }[]> {
  return db.query(sql`
    select id, available_credits, expires_at from credit_lots
    where organization_id = ${organization} and id = any (${[...ids]}::uuid[]) order by id`)
}
