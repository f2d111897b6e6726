import { monotonic_ms } from './clock.ts'

/** Tracks which organizations used a resource recently, to detect whether one is its only user. */
export class OrganizationUseTracker {
  private readonly used_ms = new Map<string, number>()
  private readonly within_ms: number
  private readonly now_ms: () => number

  /** @param within_ms an organization that used the resource within this time is expected to use it again. */
  constructor(within_ms: number, now_ms: () => number = monotonic_ms) {
    this.within_ms = within_ms
    this.now_ms = now_ms
  }

  /** Keeps the most recent user last, so that expired entries are found first. */
  note(organization: string): void {
    this.used_ms.delete(organization)
    this.used_ms.set(organization, this.now_ms())
  }

  /** True if any other organization used the resource recently. */
  hasOthers(organization: string | null): boolean {
    const since_ms = this.now_ms() - this.within_ms
    for (const [other, at_ms] of this.used_ms) {
      if (at_ms < since_ms) this.used_ms.delete(other)
      else if (other !== organization) return true
    }
    return false
  }
}
