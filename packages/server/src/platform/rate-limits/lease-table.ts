import { createHash } from 'node:crypto'
import type { UnitReturn } from './counts.ts'
import { Lease } from './lease.ts'
import type { RateLimit } from './rate-limit.ts'

/** Short plain subjects are stored as they are; others, such as e-mail addresses, as a hash. */
const plainSubject = /^[\w.:/-]{1,80}$/
export const bucketOf = ({ name }: RateLimit, subject: string): string =>
  `${name} ${plainSubject.test(subject) ? subject : createHash('sha256').update(subject).digest('base64url')}`

interface LeasesOfLimit {
  readonly window_ms: number
  readonly bySubject: Map<string, Lease>
}

/** The leases of this process, by limit and subject; each is dropped when its slot ends. */
export class LeaseTable {
  private readonly leases = new Map<string, LeasesOfLimit>()

  /** Creates one if there is none. */
  find(limit: RateLimit, subject: string): Lease {
    let ofLimit = this.leases.get(limit.name)
    if (!ofLimit) this.leases.set(limit.name, (ofLimit = { window_ms: limit.window_ms, bySubject: new Map() }))
    let lease = ofLimit.bySubject.get(subject)
    if (!lease) ofLimit.bySubject.set(subject, (lease = new Lease(bucketOf(limit, subject))))
    return lease
  }

  /** Drops expired leases; returns their unused units. */
  dropEnded(now_ms: number): UnitReturn[] {
    const unused: UnitReturn[] = []
    for (const ofLimit of this.leases.values()) {
      for (const [subject, lease] of ofLimit.bySubject) {
        if (lease.waiting > 0 || !lease.isOver(now_ms)) continue
        const dropped = lease.drop(ofLimit)
        if (dropped.units > 0) unused.push(dropped)
        ofLimit.bySubject.delete(subject)
      }
    }
    return unused
  }
}
