import { monotonic_ms } from './clock.ts'

/** Which organizations used something of late, so that one knows whether it is alone with it. */
export class RecentUse {
  private readonly used_ms = new Map<string, number>()
  private readonly within_ms: number
  private readonly now_ms: () => number

  /** @param within_ms who used it within this time is expected to come again. */
  constructor(within_ms: number, now_ms: () => number = monotonic_ms) {
    this.within_ms = within_ms
    this.now_ms = now_ms
  }

  /** The one that used it last stands last, so those that are long gone are found first. */
  note(organization: string): void {
    this.used_ms.delete(organization)
    this.used_ms.set(organization, this.now_ms())
  }

  /** Whether anybody else used it of late. */
  hasOthers(organization: string | null): boolean {
    const since_ms = this.now_ms() - this.within_ms
    for (const [other, at_ms] of this.used_ms) {
      if (at_ms < since_ms) this.used_ms.delete(other)
      else if (other !== organization) return true
    }
    return false
  }
}
