import {
  computeRateLimitSlot_ms,
  type RateLimitGrant,
  type RateLimitRequest,
  type UnusedRateLimitUnits,
} from './counts.ts'
import type { RateLimit } from './rate-limit.ts'

/** The most units that a process leases in advance: a tenth of the limit, none for small limits. */
const maxSpareUnits = ({ max }: RateLimit): number => (max < 60 ? 0 : Math.floor(max / 10))

/**
 * The state of one bucket in this process: the unused units that it leased for the current slot, and the state of the
 * bucket at its last request. A lease ends with its slot; its unused units are then returned, because using them later
 * would let them leave the window too early.
 */
export class RateLimitLease {
  readonly bucket: string
  unused = 0
  /** The slot by the database clock; -1 before the first grant and after the lease was dropped. */
  slot = -1
  expires_ms = Number.NEGATIVE_INFINITY
  refused_until_ms = Number.NEGATIVE_INFINITY
  frees_at_ms = 0
  /** Callers that wait for a grant. */
  waiting_callers = 0
  pendingRequest: Promise<void> | null = null
  private free = 0
  private used = 0
  private spare = 0
  /** The maximum of the last request. */
  private max = 0

  constructor(bucket: string) {
    this.bucket = bucket
  }

  /** Units left in the window, as far as this process knows. */
  get remaining(): number {
    return this.free + this.unused
  }

  isExpired(now_ms: number): boolean {
    return now_ms >= this.expires_ms
  }

  /** A grant or refusal under another maximum does not apply. */
  isFor({ max }: RateLimit): boolean {
    return max === this.max
  }

  useUnit(): void {
    this.unused -= 1
    this.used += 1
  }

  restoreUnit(): void {
    this.unused += 1
    this.used -= 1
    this.refused_until_ms = Number.NEGATIVE_INFINITY
  }

  /** Drops this lease and returns its unused units. Units that are in use are returned individually from now on. */
  drop({ window_ms }: Pick<RateLimit, 'window_ms'>): UnusedRateLimitUnits {
    const { bucket, unused: units, slot } = this
    this.unused = 0
    this.slot = -1
    return { bucket, slot_ms: computeRateLimitSlot_ms(window_ms), units, slot }
  }

  /** The next request; unused units of an expired slot are returned with it. */
  nextRequest(limit: RateLimit, now_ms: number): RateLimitRequest {
    const isExpired = this.isExpired(now_ms) || !this.isFor(limit)
    this.spare = Math.min(maxSpareUnits(limit), isExpired ? this.used : Math.max(1, this.spare * 2))
    const { slot: returned_slot } = this
    const returned = isExpired ? this.unused : 0
    if (isExpired) {
      this.unused = 0
      this.used = 0
      this.slot = -1
    }
    return {
      bucket: this.bucket,
      max: limit.max,
      slot_ms: computeRateLimitSlot_ms(limit.window_ms),
      needed: Math.max(1, this.waiting_callers),
      spare: this.spare,
      returned,
      returned_slot,
    }
  }

  /** Applies a grant; its times count from the request, so that a lease never outlasts its slot. */
  accept(limit: RateLimit, request: RateLimitRequest, grant: RateLimitGrant, requested_ms: number): void {
    this.slot = grant.current_slot
    this.max = limit.max
    this.refused_until_ms = Number.NEGATIVE_INFINITY
    this.unused += grant.granted
    this.free = limit.max - grant.used
    this.expires_ms = requested_ms + grant.slot_ends_ms
    this.frees_at_ms = requested_ms + grant.frees_ms
    if (grant.granted < request.needed) this.refused_until_ms = this.expires_ms
  }
}
