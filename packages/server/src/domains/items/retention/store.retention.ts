import type { OrganizationTime } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** Sets the expiry (null for none) of every item that is neither expired nor a tombstone. */
export async function setRetentionEnds(
  tx: Tx,
  organization: string,
  end: Date | null,
  now: OrganizationTime,
): Promise<void> {
  await tx.query(sql`
    update items
    set expires_at = ${end}, updated_at = ${now}, revision = revision + 1,
        lifecycle_state = case when lifecycle_state = 'expiring' then 'active' else lifecycle_state end
    where organization_id = ${organization} and purged_at is null and lifecycle_state <> 'expired'
      and expires_at is distinct from ${end}`)
}
