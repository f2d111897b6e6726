import { monotonic_ms, type Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { repeat } from '../repeat.ts'
import {
  deleteOldCounts,
  returnUnits,
  slotLength_ms,
  takeUnits,
  type UnitGrant,
  type UnitRequest,
  type UnitReturn,
} from './counts.ts'
import type { Lease } from './lease.ts'
import { bucketOf, LeaseTable } from './lease-table.ts'
import type { RateLimit, RateLimiter, RateLimitUnit } from './rate-limit.ts'
import { Unit } from './unit.ts'

export interface RateLimiterOptions {
  /** Counts belong to no organization: a client IP address has none. */
  readonly db: Db
  /** Replaces the database clock, which all processes share; for tests. */
  readonly clock?: Clock
  readonly onFault?: (error: unknown) => void
}

const flush_every_ms = 1000
const sweep_every_ms = 60_000

/** The result for a limit of 0. */
const unlimited: RateLimitUnit = {
  limit: { name: 'none', max: 0, window_ms: 60_000 },
  refused: false,
  remaining: Number.MAX_SAFE_INTEGER,
  reset_s: 1,
  giveBack: () => {},
}

/**
 * Counts in the database, by leases: a process takes some units in advance and uses them without a request, at most a
 * tenth of the limit and until the slot of the window ends. Losing a lease loses only its unused units, so no number of
 * subjects can evict what was counted.
 */
export function createRateLimiter({ db, clock, onFault = () => {} }: RateLimiterOptions): RateLimiter {
  const counts: SharedCounts = {
    now_ms: clock ? () => clock.now().getTime() : monotonic_ms,
    take: (request) => takeUnits(db, request, clock?.now() ?? null),
    give: (units) => returnUnits(db, units, clock?.now() ?? null),
  }
  const limiter = new LeasedLimiter(counts, onFault)
  const sweep = (): Promise<void> => deleteOldCounts(db, clock?.now() ?? null)
  const stops = [repeat(flush_every_ms, () => limiter.flush(), onFault), repeat(sweep_every_ms, sweep, onFault)]
  return {
    take: (limit, subject) => limiter.take(limit, subject),
    count: (limit, subject) => limiter.count(limit, subject),
    flush: () => limiter.flush(),
    sweep,
    close: async () => {
      await Promise.all(stops.map((stop) => stop()))
      await limiter.flush(Number.POSITIVE_INFINITY).catch(onFault)
    },
  }
}

/** The counts that all processes share. */
interface SharedCounts {
  now_ms(): number
  take(request: UnitRequest): Promise<UnitGrant>
  give(units: readonly UnitReturn[]): Promise<void>
}

class LeasedLimiter {
  private readonly leases = new LeaseTable()
  private readonly sending = new Set<Promise<void>>()
  private readonly counts: SharedCounts
  private readonly onFault: (error: unknown) => void

  constructor(counts: SharedCounts, onFault: (error: unknown) => void) {
    this.counts = counts
    this.onFault = onFault
  }

  take(limit: RateLimit, subject: string): RateLimitUnit | Promise<RateLimitUnit> {
    if (limit.max === 0) return unlimited
    const lease = this.leases.find(limit, subject)
    return this.known(lease, limit, false) ?? this.takeShared(lease, limit)
  }

  async count(limit: RateLimit, subject: string): ReturnType<RateLimiter['count']> {
    const bucket = bucketOf(limit, subject)
    const slot_ms = slotLength_ms(limit.window_ms)
    const request = { bucket, max: null, slot_ms, needed: 1, spare: 0, returned: 0, returned_slot: 0 }
    const { used, current_slot: slot } = await this.counts.take(request)
    return { before: used - 1, giveBack: () => this.send({ bucket, slot_ms, units: 1, slot }) }
  }

  async flush(now_ms = this.counts.now_ms()): Promise<void> {
    const unused = this.leases.dropEnded(now_ms)
    if (unused.length > 0) await this.counts.give(unused)
    await Promise.all(this.sending)
  }

  /** The result if it is known without a request; null otherwise. */
  private known(lease: Lease, limit: RateLimit, isGranted: boolean): RateLimitUnit | null {
    if (!lease.isFor(limit)) return null
    const now = this.counts.now_ms()
    if (lease.left > 0 && (isGranted || !lease.isOver(now))) {
      lease.use()
      return new Unit(limit, false, lease, now, this.send)
    }
    return now < lease.refused_until_ms ? new Unit(limit, true, lease, now, this.send) : null
  }

  /** Concurrent callers share one request; those without a granted unit request again. */
  private async takeShared(lease: Lease, limit: RateLimit): Promise<RateLimitUnit> {
    lease.waiting += 1
    try {
      for (;;) {
        lease.asking ??= this.ask(lease, limit).finally(() => (lease.asking = null))
        await lease.asking
        // Granted units were counted, however long the response took.
        const unit = this.known(lease, limit, true)
        if (unit) return unit
      }
    } finally {
      lease.waiting -= 1
    }
  }

  private async ask(lease: Lease, limit: RateLimit): Promise<void> {
    const asked_ms = this.counts.now_ms()
    const request = lease.nextRequest(limit, asked_ms)
    lease.accept(limit, request, await this.counts.take(request), asked_ms)
  }

  private readonly send = (units: UnitReturn): void => {
    const sent = this.counts
      .give([units])
      .catch(this.onFault)
      .finally(() => this.sending.delete(sent))
    this.sending.add(sent)
  }
}
