import { day_ms } from '@swath/geo/time-units.ts'
import type { LifecycleState } from '@swath/contract/schemas/item.ts'
import { shiftTime, type OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import type { PublishedEvent } from '../../../platform/queue/queue.ts'
import { findBillingPlan } from '../../billing/plans.ts'
import { findOrganization } from '../../organizations/store.ts'
import { updateRetentionEnds } from './store.retention.ts'

/** The time before its expiry at which an item becomes `expiring`. */
export const item_expiry_notice_ms = 7 * day_ms

/** The time for which deleted entities can be restored. */
export const restore_period_ms = 30 * day_ms

/** The expiry of an item created now under the organization's plan; null if the plan has no retention limit. */
export async function computeItemExpiry(
  db: SqlStatementRunner,
  organization: string,
  now: OrganizationTime,
): Promise<OrganizationTime | null> {
  const plan = (await findOrganization(db, organization))?.plan
  const days = plan === undefined ? null : findBillingPlan(plan).item_retention_days
  return days === null ? null : shiftTime(now, days * day_ms)
}

/**
 * Applies the retention of the organization's current plan to all items that have not expired. A retention period starts
 * now, because the previous plan kept items for longer.
 */
export async function applyPlanRetention(
  tx: Tx,
  { organization_id }: PublishedEvent,
  at: OrganizationTime,
): Promise<void> {
  await updateRetentionEnds(tx, organization_id, await computeItemExpiry(tx, organization_id, at), at)
}

/** The lifecycle state derived from an item's times, unless it is deleted or expired. */
export function computeLifecycleState(
  item: { readonly expires_at: Date | null; readonly archived_at: Date | null },
  now: OrganizationTime,
): LifecycleState {
  if (item.archived_at !== null) return 'archived'
  return item.expires_at !== null && item.expires_at.getTime() - now.getTime() <= item_expiry_notice_ms
    ? 'expiring'
    : 'active'
}
