import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** Sets the deletion date; false if the organization has one, or is deleted. */
export async function updateOrganizationDeletionDate(
  tx: Tx,
  organization: string,
  { delete_after, now }: { readonly delete_after: OrganizationTime; readonly now: OrganizationTime },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update organizations set delete_after = ${delete_after}, updated_at = ${now}
    where organization_id = ${organization} and status <> 'deleted' and delete_after is null
    returning organization_id`)
  return rows.length > 0
}

/** Clears the deletion date; false if the organization has none, or is deleted. */
export async function markOrganizationDeletionWithdrawn(
  tx: Tx,
  organization: string,
  now: OrganizationTime,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update organizations set delete_after = null, updated_at = ${now}
    where organization_id = ${organization} and status <> 'deleted' and delete_after is not null
    returning organization_id`)
  return rows.length > 0
}
