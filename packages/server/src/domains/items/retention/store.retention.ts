import type { OrganizationTime } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { updateUncountedColumns } from '../../../platform/database/item-counts/write-items.ts'
import { sql } from '../../../platform/database/sql.ts'

/** Sets the expiry (null for none) of every item that is neither expired nor a tombstone. */
export async function updateRetentionEnds(
  tx: Tx,
  organization: string,
  end: Date | null,
  now: OrganizationTime,
): Promise<void> {
  await updateUncountedColumns(tx, organization, {
    condition: sql`i.purged_at is null and i.lifecycle_state <> 'expired' and i.expires_at is distinct from ${end}`,
    assignments: sql`expires_at = ${end}, updated_at = ${now},
      lifecycle_state = case when i.lifecycle_state = 'expiring' then 'active' else i.lifecycle_state end`,
  })
}
