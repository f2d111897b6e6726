import { createHash } from 'node:crypto'
import type { RateLimitReturn } from './counts.ts'
import { RateLimitLease } from './lease.ts'
import type { RateLimit } from './rate-limit.ts'

/** Short plain subjects are stored as they are; others, such as e-mail addresses, as a hash. */
const plain_subject = /^[\w.:/-]{1,80}$/
export const toBucketName = ({ name }: RateLimit, subject: string): string =>
  `${name} ${plain_subject.test(subject) ? subject : createHash('sha256').update(subject).digest('base64url')}`

interface LeasesOfLimit {
  readonly window_ms: number
  readonly bySubject: Map<string, RateLimitLease>
}

/** The leases of this process, by limit and subject; each is dropped when its slot ends. */
export class RateLimitLeaseTable {
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
  dropEnded(now_ms: number): RateLimitReturn[] {
    const unused: RateLimitReturn[] = []
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
