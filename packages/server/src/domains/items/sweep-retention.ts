import { shiftTime, shiftTimes, type OrganizationTime, type OrganizationTimes } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { Actor } from '../events/emit.ts'
import { announceItem } from './announce.ts'
import { notice_ms, undo_ms } from './retention.ts'
import { listDueItems, lockItems, markDue, type DueKind } from './store.life.ts'
import { entombItems, removeAssets } from './tombstone.ts'

const batch = 500

/** Dependencies of a retention sweep. */
export interface Sweeper {
  /** Database access across organizations; every write names its organization. */
  readonly across: Db
  actorIn(organization: string): Actor
  readonly times: OrganizationTimes
  readonly signal: AbortSignal
  /** Reports an organization whose items could not be swept. */
  failed(error: unknown, organization: string): void
}

/** Offset of the due time from now, by kind; negative for the past. */
const ahead_ms: Readonly<Record<DueKind, number>> = { expiring: notice_ms, expired: 0, purged: -undo_ms }

type Ending = (tx: Tx, actor: Actor, ids: readonly string[], before: OrganizationTime) => Promise<number>

/** Processes due items of one organization in one transaction; returns their number. */
const endings: Readonly<Record<DueKind, Ending>> = {
  expiring: async (tx, actor, ids, before) => (await mark(tx, actor, 'expiring', ids, before)).length,
  // The row stays, so that its URL responds 410 and its lineage is complete; its assets are deleted.
  expired: async (tx, actor, ids, before) => {
    const ended = await mark(tx, actor, 'expired', ids, before)
    await removeAssets(tx, actor, { items: ended })
    return ended.length
  },
  purged: async (tx, actor, ids, before) => {
    const rows = await lockItems(tx, actor.organization, ids)
    const gone = rows.filter(({ deleted_at }) => deleted_at !== null && deleted_at <= before).map(({ id }) => id)
    await entombItems(tx, actor, gone)
    return gone.length
  },
}

async function mark(
  tx: Tx,
  actor: Actor,
  kind: 'expiring' | 'expired',
  ids: readonly string[],
  before: OrganizationTime,
): Promise<string[]> {
  const now = actor.clock.now()
  const rows = await markDue(tx, actor.organization, kind, ids, { before, now })
  for (const row of rows) await announceItem(tx, actor, 'item.updated', row, { changed: ['lifecycle_state'] })
  return rows.map(({ id }) => id)
}

/** Processes all due items of one kind, one organization after another; returns their number. Failures are isolated. */
export async function sweepRetention(sweeper: Sweeper, kind: DueKind): Promise<number> {
  const times = shiftTimes(sweeper.times, ahead_ms[kind])
  const failing = new Set<string>()
  let total = 0
  for (;;) {
    const due = await listDueItems(sweeper.across, kind, times, [...failing], batch)
    if (due.length === 0) return total
    for (const [organization, items] of Map.groupBy(due, (row) => row.organization_id)) {
      sweeper.signal.throwIfAborted()
      const ids = items.map(({ id }) => id)
      try {
        const actor = sweeper.actorIn(organization)
        const before = shiftTime(actor.clock.now(), ahead_ms[kind])
        const count = await sweeper.across.transaction((tx) => endings[kind](tx, actor, ids, before))
        // A concurrent sweep processed them; skip the organization to avoid an endless loop.
        if (count === 0) failing.add(organization)
        total += count
      } catch (error) {
        failing.add(organization)
        sweeper.failed(error, organization)
      }
    }
  }
}
