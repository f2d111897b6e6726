import type { SecondFactorRule } from '@swath/contract/schemas/people/account.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** Whether members of an organization need a second factor. */
export async function findSecondFactorRule(db: SqlStatementRunner, organization: string): Promise<SecondFactorRule> {
  const [row] = await db.query<{ second_factor: SecondFactorRule }>(sql`
    select second_factor from organizations where organization_id = ${organization}`)
  return row?.second_factor ?? 'optional'
}

export async function updateSecondFactorRule(
  tx: Tx,
  organization: string,
  { rule, now }: { readonly rule: SecondFactorRule; readonly now: OrganizationTime },
): Promise<void> {
  await tx.query(sql`
    update organizations set second_factor = ${rule}, updated_at = ${now} where organization_id = ${organization}`)
}

/** The members who are not disabled. */
export async function listActiveMemberIds(db: SqlStatementRunner, organization: string): Promise<string[]> {
  const rows = await db.query<{ user_id: string }>(sql`
    select user_id from memberships where organization_id = ${organization} and disabled_at is null`)
  return rows.map(({ user_id }) => user_id)
}
