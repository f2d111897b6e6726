import { slotLength_ms, type UnitGrant, type UnitRequest, type UnitReturn } from './counts.ts'
import type { RateLimit } from './rate-limit.ts'

/** The largest stock that a process leases: a tenth of the limit, nothing of small ones. */
const maxSpare = ({ max }: RateLimit): number => (max < 60 ? 0 : Math.floor(max / 10))

/**
 * What this process knows of one bucket: the units that it has leased of the present slot and not used, and how the bucket
 * stood when it asked last. A lease ends with its slot; what is left of it then is given back, because it may not be
 * used later: it would leave the window too early.
 */
export class Lease {
  readonly bucket: string
  left = 0
  /** By the clock of the database; -1 before the first grant, and once this was dropped. */
  slot = -1
  ends_ms = Number.NEGATIVE_INFINITY
  refused_until_ms = Number.NEGATIVE_INFINITY
  frees_at_ms = 0
  /** Callers who wait for a grant. */
  waiting = 0
  asking: Promise<void> | null = null
  private free = 0
  private used = 0
  private spare = 0
  /** Of the limit that was asked with last. */
  private max = 0

  constructor(bucket: string) {
    this.bucket = bucket
  }

  /** Units that are left in the window, as far as is known here. */
  get remaining(): number {
    return this.free + this.left
  }

  isOver(now_ms: number): boolean {
    return now_ms >= this.ends_ms
  }

  /** What was granted or refused under another maximum says nothing about this one. */
  isFor({ max }: RateLimit): boolean {
    return max === this.max
  }

  use(): void {
    this.left -= 1
    this.used += 1
  }

  takeBack(): void {
    this.left += 1
    this.used -= 1
    this.refused_until_ms = Number.NEGATIVE_INFINITY
  }

  /** Drops this lease: what is left of it, to be given back. Units that were used are given back by themselves from now on. */
  drop({ window_ms }: Pick<RateLimit, 'window_ms'>): UnitReturn {
    const { bucket, left: units, slot } = this
    this.left = 0
    this.slot = -1
    return { bucket, slot_ms: slotLength_ms(window_ms), units, slot }
  }

  /** What to ask for now; units that are left of a slot that is over are given back with it. */
  nextRequest(limit: RateLimit, now_ms: number): UnitRequest {
    const over = this.isOver(now_ms) || !this.isFor(limit)
    this.spare = Math.min(maxSpare(limit), over ? this.used : Math.max(1, this.spare * 2))
    const { slot: returned_slot } = this
    const returned = over ? this.left : 0
    if (over) {
      this.left = 0
      this.used = 0
      this.slot = -1
    }
    return {
      bucket: this.bucket,
      max: limit.max,
      slot_ms: slotLength_ms(limit.window_ms),
      needed: Math.max(1, this.waiting),
      spare: this.spare,
      returned,
      returned_slot,
    }
  }

  /** Takes a grant over; its times count from when it was asked for, so that a lease never outlasts its slot. */
  accept(limit: RateLimit, request: UnitRequest, grant: UnitGrant, asked_ms: number): void {
    this.slot = grant.current_slot
    this.max = limit.max
    this.refused_until_ms = Number.NEGATIVE_INFINITY
    this.left += grant.granted
    this.free = limit.max - grant.used
    this.ends_ms = asked_ms + grant.slot_ends_ms
    this.frees_at_ms = asked_ms + grant.frees_ms
    if (grant.granted < request.needed) this.refused_until_ms = this.ends_ms
  }
}
