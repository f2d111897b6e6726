import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface FreeTierDecisionRow {
  readonly state: 'approved' | 'revoked'
  readonly decided_by: string
  readonly decided_at: Date
}

/** The decision on an organization's free plan; null while it is pending. */
export async function findFreeTierDecision(
  db: SqlStatementRunner,
  organization: string,
): Promise<FreeTierDecisionRow | null> {
  const [row] = await db.query<FreeTierDecisionRow>(sql`
    select state, decided_by, decided_at from free_tier_decisions where organization_id = ${organization}`)
  return row ?? null
}

export async function upsertFreeTierDecision(tx: Tx, organization: string, row: FreeTierDecisionRow): Promise<void> {
  await tx.query(sql`
    insert into free_tier_decisions (organization_id, state, decided_by, decided_at)
    values (${organization}, ${row.state}, ${row.decided_by}, ${row.decided_at})
    on conflict (organization_id) do update
    set state = excluded.state, decided_by = excluded.decided_by, decided_at = excluded.decided_at`)
}

/** The decisions of all organizations; needs the unscoped connection. */
export async function listFreeTierDecisions(
  across: SqlStatementRunner,
): Promise<Map<string, FreeTierDecisionRow['state']>> {
  const rows = await across.query<{ id: string; state: FreeTierDecisionRow['state'] }>(sql`
    select organization_id as id, state from free_tier_decisions`)
  return new Map(rows.map(({ id, state }) => [id, state]))
}

/** True if the organization has received its grant of the month. */
export async function hasMonthlyGrant(db: SqlStatementRunner, organization: string, period: string): Promise<boolean> {
  const rows = await db.query(sql`
    select entry_id from monthly_grants where organization_id = ${organization} and period = ${period}`)
  return rows.length > 0
}

export async function insertMonthlyGrant(
  tx: Tx,
  organization: string,
  grant: { readonly period: string; readonly entry_id: string; readonly now: OrganizationTime },
): Promise<void> {
  await tx.query(sql`
    insert into monthly_grants (organization_id, period, entry_id, created_at)
    values (${organization}, ${grant.period}, ${grant.entry_id}, ${grant.now})`)
}
