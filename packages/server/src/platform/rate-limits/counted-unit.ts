import { slotLength_ms, type RateLimitReturn } from './counts.ts'
import type { RateLimitLease } from './lease.ts'
import type { RateLimit, RateLimitUnit } from './rate-limit.ts'

/** A class, because every call creates one. */
export class CountedUnit implements RateLimitUnit {
  readonly limit: RateLimit
  readonly refused: boolean
  readonly remaining: number
  readonly reset_s: number
  private slot: number
  private readonly lease: RateLimitLease
  private readonly send: (units: RateLimitReturn) => void

  // oxlint-disable-next-line max-params -- made several times in each call: no object for it
  constructor(
    limit: RateLimit,
    refused: boolean,
    lease: RateLimitLease,
    now_ms: number,
    send: (units: RateLimitReturn) => void,
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
    else this.send({ bucket: lease.bucket, slot_ms: slotLength_ms(this.limit.window_ms), units: 1, slot })
  }
}
