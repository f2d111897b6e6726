import type { LifecycleState } from '@swath/contract/shapes/item.ts'
import { shiftTime, type OrganizationTime } from '../../platform/clock.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import type { AnnouncedEvent } from '../../platform/queue/queue.ts'
import { planOf } from '../billing/plans.ts'
import { readOrganization } from '../organizations/organization.ts'
import { setRetentionEnds } from './store.retention.ts'

const day_ms = 86_400_000

/** How long before its end an item is called `expiring`. */
export const notice_ms = 7 * day_ms

/** How long what was deleted can be brought back. */
export const undo_ms = 30 * day_ms

/** When an item that is made now ends by the organization's plan; null where the plan keeps items. */
export async function retentionEnd(
  db: Queryable,
  organization: string,
  now: OrganizationTime,
): Promise<OrganizationTime | null> {
  const plan = (await readOrganization(db, organization))?.plan
  const days = plan === undefined ? null : planOf(plan).item_retention_days
  return days === null ? null : shiftTime(now, days * day_ms)
}

/**
 * Gives every item that has not expired the retention of the plan that its organization is on now. A plan that keeps items for a time
 * counts it from this moment, since until now they were kept for longer.
 */
export async function applyPlanRetention(
  tx: Tx,
  { organization_id }: AnnouncedEvent,
  at: OrganizationTime,
): Promise<void> {
  await setRetentionEnds(tx, organization_id, await retentionEnd(tx, organization_id, at), at)
}

/** The state that follows from an item's times, unless it is deleted or has expired. */
export function stateAt(
  item: { readonly expires_at: Date | null; readonly archived_at: Date | null },
  now: OrganizationTime,
): LifecycleState {
  if (item.archived_at !== null) return 'archived'
  return item.expires_at !== null && item.expires_at.getTime() - now.getTime() <= notice_ms ? 'expiring' : 'active'
}
