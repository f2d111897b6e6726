import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { ListedOrganization, OrganizationRow } from './store.ts'

/** An organization as operators read one. */
export interface OrganizationForOperator extends ListedOrganization, Pick<OrganizationRow, 'slug' | 'country'> {
  readonly billing_email: string | null
  readonly member_count: number
}

/** An organization as operators read one; null if it does not exist. */
export async function findOrganizationForOperator(
  db: SqlStatementRunner,
  organization: string,
): Promise<OrganizationForOperator | null> {
  const [row] = await db.query<Omit<OrganizationForOperator, 'member_count'>>(sql`
    select organization_id as id, name, slug, plan, status, country, billing_email, created_at, delete_after, suspended_at,
      suspended_reason
    from organizations where organization_id = ${organization}`)
  if (!row) return null
  const [members] = await db.query<{ count: number }>(sql`
    select count(*) as count from memberships where organization_id = ${organization}`)
  return { ...row, member_count: members?.count ?? 0 }
}

/** The names of the organizations among these that exist; needs the unscoped connection. */
export const listOrganizationNames = (
  unscoped: SqlStatementRunner,
  organizations: readonly string[],
): Promise<{ readonly id: string; readonly name: string }[]> =>
  unscoped.query(sql`
    select organization_id as id, name from organizations where organization_id = any(${[...organizations]}::uuid[])`)

/** False unless the organization has the status `from`. */
export async function updateOrganizationSuspension(
  tx: Tx,
  organization: string,
  change: {
    readonly from: 'active' | 'suspended'
    readonly to: 'active' | 'suspended'
    readonly reason: string
    readonly now: OrganizationTime
  },
): Promise<boolean> {
  const { from, to, reason, now } = change
  const isSuspended = to === 'suspended'
  const rows = await tx.query(sql`
    update organizations
    set status = ${to}, suspended_at = ${isSuspended ? now : null}, suspended_reason = ${isSuspended ? reason : null},
        updated_at = ${now}
    where organization_id = ${organization} and status = ${from}
    returning organization_id`)
  return rows.length > 0
}
