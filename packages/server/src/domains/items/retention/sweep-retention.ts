import {
  shiftTime,
  shiftOrganizationTimes,
  type OrganizationTime,
  type OrganizationCurrentTimes,
} from '../../../platform/clock.ts'
import type { DbConnection, Tx } from '../../../platform/database/database.ts'
import type { DueRowsQuery } from '../../../platform/sandbox/due-rows.ts'
import type { Actor } from '../../../engine/actor.ts'
import { emitItemEvent } from '../item-events.ts'
import { item_expiry_notice_ms, restore_period_ms } from './retention.ts'
import {
  dueSweepItemRows,
  listItemsDueForRetention,
  lockItems,
  markExpiringOrExpiredItems,
  type RetentionSweepKind,
} from '../store.item-lifecycle.ts'
import { tombstoneItems, deleteAssets } from '../tombstone.ts'

const batch_size = 500

/** Dependencies of a retention sweep. */
export interface RetentionSweepDependencies {
  /** Database access across organizations; every write names its organization. */
  readonly across: DbConnection
  actorIn(organization: string): Actor
  readonly times: OrganizationCurrentTimes
  readonly signal: AbortSignal
  /** Reports an organization whose items could not be swept. */
  onError(error: unknown, organization: string): void
}

/** Offset of the due time from now, by kind; negative for the past. */
const due_offset_ms: Readonly<Record<RetentionSweepKind, number>> = {
  expiring: item_expiry_notice_ms,
  expired: 0,
  purged: -restore_period_ms,
}

// Expire first: items that are already due need no notice.
export const retention_sweep_kinds = ['expired', 'expiring', 'purged'] as const satisfies readonly RetentionSweepKind[]

/** The rows of items that are due to be marked, expired or purged. */
export const dueItemRetentionRows = (organization: string): readonly DueRowsQuery[] =>
  retention_sweep_kinds.map((kind) => dueSweepItemRows(organization, kind, -due_offset_ms[kind]))

type DueItemAction = (tx: Tx, actor: Actor, ids: readonly string[], before: OrganizationTime) => Promise<number>

/** Processes due items of one organization in one transaction; returns their number. */
const dueItemActions: Readonly<Record<RetentionSweepKind, DueItemAction>> = {
  expiring: async (tx, actor, ids, before) => (await markAndEmit(tx, actor, { kind: 'expiring', ids, before })).length,
  // The row stays, so that its URL responds 410 and its lineage is complete; its assets are deleted.
  expired: async (tx, actor, ids, before) => {
    const expiredIds = await markAndEmit(tx, actor, { kind: 'expired', ids, before })
    await deleteAssets(tx, actor, { items: expiredIds })
    return expiredIds.length
  },
  purged: async (tx, actor, ids, before) => {
    const rows = await lockItems(tx, actor.organization, ids)
    const purgedIds = rows.filter(({ deleted_at }) => deleted_at !== null && deleted_at <= before).map(({ id }) => id)
    await tombstoneItems(tx, actor, purgedIds)
    return purgedIds.length
  },
}

async function markAndEmit(
  tx: Tx,
  actor: Actor,
  {
    kind,
    ids,
    before,
  }: { readonly kind: 'expiring' | 'expired'; readonly ids: readonly string[]; readonly before: OrganizationTime },
): Promise<string[]> {
  const now = actor.clock.now()
  const rows = await markExpiringOrExpiredItems(tx, {
    organization: actor.organization,
    kind,
    ids,
    times: { before, now },
  })
  for (const row of rows)
    await emitItemEvent(tx, actor, { kind: 'item.updated', item: row, extraData: { changed: ['lifecycle_state'] } })
  return rows.map(({ id }) => id)
}

/** Processes all due items of one kind, one organization after another; returns their number. Failures are isolated. */
export async function sweepRetention(sweep: RetentionSweepDependencies, kind: RetentionSweepKind): Promise<number> {
  const times = shiftOrganizationTimes(sweep.times, due_offset_ms[kind])
  const failing = new Set<string>()
  let total = 0
  for (;;) {
    const due = await listItemsDueForRetention({
      across: sweep.across,
      kind,
      times,
      excludedOrganizations: [...failing],
      limit: batch_size,
    })
    if (due.length === 0) return total
    for (const [organization, items] of Map.groupBy(due, (row) => row.organization_id)) {
      sweep.signal.throwIfAborted()
      const ids = items.map(({ id }) => id)
      try {
        const actor = sweep.actorIn(organization)
        const before = shiftTime(actor.clock.now(), due_offset_ms[kind])
        const count = await sweep.across.transaction((tx) => dueItemActions[kind](tx, actor, ids, before))
        // A concurrent sweep processed them; skip the organization to avoid an endless loop.
        if (count === 0) failing.add(organization)
        total += count
      } catch (error) {
        failing.add(organization)
        sweep.onError(error, organization)
      }
    }
  }
}
