import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { OrganizationPlan } from './store.ts'

/**
 * Writes the plan of an organization; returns the previous plan, or null if it is the same already or, with `from`, not
 * that one.
 */
export async function updateOrganizationPlan(
  tx: Tx,
  organization: string,
  change: { readonly plan: OrganizationPlan; readonly from: OrganizationPlan | null; readonly now: OrganizationTime },
): Promise<OrganizationPlan | null> {
  const [row] = await tx.query<{ plan: OrganizationPlan }>(sql`
    update organizations o
    set plan = ${change.plan}, enterprise_billing = ${change.plan === 'enterprise'}, updated_at = ${change.now}
    from (select plan from organizations where organization_id = ${organization} for update) before
    where o.organization_id = ${organization} and before.plan <> ${change.plan}
      and before.plan = coalesce(${change.from}, before.plan)
    returning before.plan`)
  return row?.plan ?? null
}
