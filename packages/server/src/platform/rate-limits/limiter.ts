import { type Clock, monotonic_ms } from '../clock.ts'
import type { DbConnection } from '../database/database.ts'
import { runPeriodically } from '../run-periodically.ts'
import {
  type RateLimitGrant,
  type RateLimitRequest,
  type UnusedRateLimitUnits,
  deleteExpiredRateLimitCounts,
  hasUnexpiredRateLimitCounts,
  releaseRateLimitUnits,
  computeRateLimitSlot_ms,
  takeRateLimitUnits,
} from './counts.ts'
import { RateLimitLease } from './lease.ts'
import type { RateLimit, RateLimitUnit, RateLimiter } from './rate-limit.ts'
import { createHash } from 'node:crypto'

/** Short plain subjects are stored as they are; others, such as e-mail addresses, as a hash. */
const plain_subject = /^[\w.:/-]{1,80}$/
const toBucketName = ({ name }: RateLimit, subject: string): string =>
  `${name} ${plain_subject.test(subject) ? subject : createHash('sha256').update(subject).digest('base64url')}`

interface LeasesOfLimit {
  readonly window_ms: number
  readonly bySubject: Map<string, RateLimitLease>
}

/** The leases of this process, by limit and subject; each is dropped when its slot ends. */
class RateLimitLeaseTable {
  private readonly leases = new Map<string, LeasesOfLimit>()

  /** Creates one if there is none. */
  find(limit: RateLimit, subject: string): RateLimitLease {
    let leasesOfLimit = this.leases.get(limit.name)
    if (!leasesOfLimit)
      this.leases.set(limit.name, (leasesOfLimit = { window_ms: limit.window_ms, bySubject: new Map() }))
    let lease = leasesOfLimit.bySubject.get(subject)
    if (!lease) leasesOfLimit.bySubject.set(subject, (lease = new RateLimitLease(toBucketName(limit, subject))))
    return lease
  }

  /** Drops expired leases; returns their unused units. */
  dropEnded(now_ms: number): UnusedRateLimitUnits[] {
    const unused: UnusedRateLimitUnits[] = []
    for (const leasesOfLimit of this.leases.values()) {
      for (const [subject, lease] of leasesOfLimit.bySubject) {
        if (lease.waiting_callers > 0 || !lease.isExpired(now_ms)) continue
        const dropped = lease.drop(leasesOfLimit)
        if (dropped.units > 0) unused.push(dropped)
        leasesOfLimit.bySubject.delete(subject)
      }
    }
    return unused
  }
}

/** A class, because every call creates one. */
class CountedUnit implements RateLimitUnit {
  readonly limit: RateLimit
  readonly refused: boolean
  readonly remaining: number
  readonly reset_s: number
  private slot: number
  private readonly lease: RateLimitLease
  private readonly send: (units: UnusedRateLimitUnits) => void

  // oxlint-disable-next-line max-params -- made several times in each call: no object for it
  constructor(
    limit: RateLimit,
    refused: boolean,
    lease: RateLimitLease,
    now_ms: number,
    send: (units: UnusedRateLimitUnits) => void,
  ) {
    this.limit = limit
    this.refused = refused
    this.remaining = refused ? 0 : lease.remaining
    this.reset_s = Math.max(1, Math.ceil((lease.frees_at_ms - now_ms) / 1000))
    this.slot = refused ? -1 : lease.slot
    this.lease = lease
    this.send = send
  }

  release(): void {
    const { slot, lease } = this
    if (slot < 0) return
    this.slot = -1
    if (lease.slot === slot) lease.restoreUnit()
    else this.send({ bucket: lease.bucket, slot_ms: computeRateLimitSlot_ms(this.limit.window_ms), units: 1, slot })
  }
}

export interface RateLimiterOptions {
  /** Counts belong to no organization: a client IP address has none. */
  readonly db: DbConnection
  /** Replaces the database clock, which all processes share; for tests. */
  readonly clock?: Clock
  readonly onError?: (error: unknown) => void
}

const flush_every_ms = 1000
const sweep_every_ms = 60_000

/** The result for a limit of 0. */
const unlimited: RateLimitUnit = {
  limit: { name: 'none', max: 0, window_ms: 60_000 },
  refused: false,
  remaining: Number.MAX_SAFE_INTEGER,
  reset_s: 1,
  release: () => {},
}

/**
 * Counts in the database, by leases: a process takes some units in advance and uses them without a request, at most a
 * tenth of the limit and until the slot of the window ends. Losing a lease loses only its unused units, so no number of
 * subjects can evict what was counted.
 */
export function createRateLimiter({ db, clock, onError = () => {} }: RateLimiterOptions): RateLimiter {
  const counts: SharedCountStore = {
    now_ms: clock ? () => clock.now().getTime() : monotonic_ms,
    take: (request) => takeRateLimitUnits(db, request, clock?.now() ?? null),
    returnUnits: (units) => releaseRateLimitUnits(db, units, clock?.now() ?? null),
  }
  const limiter = new LeasedLimiter(counts, onError)
  const sweep = (): Promise<void> => deleteExpiredRateLimitCounts(db, clock?.now() ?? null)
  const stopFunctions = [
    runPeriodically(flush_every_ms, () => limiter.flush(), onError),
    runPeriodically(sweep_every_ms, sweep, onError),
  ]
  return {
    take: (limit, subject) => limiter.take(limit, subject),
    count: (limit, subject) => limiter.count(limit, subject),
    hasCounted: (limit, subject) => hasUnexpiredRateLimitCounts(db, toBucketName(limit, subject), clock?.now() ?? null),
    flush: () => limiter.flush(),
    sweep,
    close: async () => {
      await Promise.all(stopFunctions.map((stop) => stop()))
      await limiter.flush(Number.POSITIVE_INFINITY).catch(onError)
    },
  }
}

/** The counts that all processes share. */
interface SharedCountStore {
  now_ms(): number
  take(request: RateLimitRequest): Promise<RateLimitGrant>
  returnUnits(units: readonly UnusedRateLimitUnits[]): Promise<void>
}

class LeasedLimiter {
  private readonly leases = new RateLimitLeaseTable()
  private readonly pendingReturns = new Set<Promise<void>>()
  private readonly counts: SharedCountStore
  private readonly onFault: (error: unknown) => void

  constructor(counts: SharedCountStore, onError: (error: unknown) => void) {
    this.counts = counts
    this.onFault = onError
  }

  take(limit: RateLimit, subject: string): RateLimitUnit | Promise<RateLimitUnit> {
    if (limit.max === 0) return unlimited
    const lease = this.leases.find(limit, subject)
    return this.tryLocally(lease, limit, false) ?? this.takeShared(lease, limit)
  }

  async count(limit: RateLimit, subject: string): ReturnType<RateLimiter['count']> {
    const bucket = toBucketName(limit, subject)
    const slot_ms = computeRateLimitSlot_ms(limit.window_ms)
    const request = { bucket, max: null, slot_ms, needed: 1, spare: 0, returned: 0, returned_slot: 0 }
    const { used, current_slot: slot } = await this.counts.take(request)
    return { before: used - 1, release: () => this.sendReturn({ bucket, slot_ms, units: 1, slot }) }
  }

  async flush(now_ms = this.counts.now_ms()): Promise<void> {
    const unused = this.leases.dropEnded(now_ms)
    if (unused.length > 0) await this.counts.returnUnits(unused)
    await Promise.all(this.pendingReturns)
  }

  /** The result if no request is needed for it; null otherwise. */
  private tryLocally(lease: RateLimitLease, limit: RateLimit, isGranted: boolean): RateLimitUnit | null {
    if (!lease.isFor(limit)) return null
    const now = this.counts.now_ms()
    if (lease.unused > 0 && (isGranted || !lease.isExpired(now))) {
      lease.useUnit()
      return new CountedUnit(limit, false, lease, now, this.sendReturn)
    }
    return now < lease.refused_until_ms ? new CountedUnit(limit, true, lease, now, this.sendReturn) : null
  }

  /** Concurrent callers share one request; those without a granted unit request again. */
  private async takeShared(lease: RateLimitLease, limit: RateLimit): Promise<RateLimitUnit> {
    lease.waiting_callers += 1
    try {
      for (;;) {
        lease.pendingRequest ??= this.requestUnits(lease, limit).finally(() => (lease.pendingRequest = null))
        await lease.pendingRequest
        // Granted units were counted, however long the response took.
        const unit = this.tryLocally(lease, limit, true)
        if (unit) return unit
      }
    } finally {
      lease.waiting_callers -= 1
    }
  }

  private async requestUnits(lease: RateLimitLease, limit: RateLimit): Promise<void> {
    const requested_ms = this.counts.now_ms()
    const request = lease.nextRequest(limit, requested_ms)
    lease.accept(limit, request, await this.counts.take(request), requested_ms)
  }

  private readonly sendReturn = (units: UnusedRateLimitUnits): void => {
    const pendingReturn = this.counts
      .returnUnits([units])
      .catch(this.onFault)
      .finally(() => this.pendingReturns.delete(pendingReturn))
    this.pendingReturns.add(pendingReturn)
  }
}
