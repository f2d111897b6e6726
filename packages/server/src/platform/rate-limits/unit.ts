import { slotLength_ms, type UnitReturn } from './counts.ts'
import type { Lease } from './lease.ts'
import type { RateLimit, RateLimitUnit } from './rate-limit.ts'

/** A class, because every call creates one. */
export class Unit implements RateLimitUnit {
  readonly limit: RateLimit
  readonly refused: boolean
  readonly remaining: number
  readonly reset_s: number
  private slot: number
  private readonly lease: Lease
  private readonly send: (units: UnitReturn) => void

  constructor(limit: RateLimit, refused: boolean, lease: Lease, now_ms: number, send: (units: UnitReturn) => void) {
    this.limit = limit
    this.refused = refused
    this.remaining = refused ? 0 : lease.remaining
    this.reset_s = Math.max(1, Math.ceil((lease.frees_at_ms - now_ms) / 1000))
    this.slot = refused ? -1 : lease.slot
    this.lease = lease
    this.send = send
  }

  giveBack(): void {
    const { slot, lease } = this
    if (slot < 0) return
    this.slot = -1
    if (lease.slot === slot) lease.takeBack()
    else this.send({ bucket: lease.bucket, slot_ms: slotLength_ms(this.limit.window_ms), units: 1, slot })
  }
}
