interface AttemptGroup {
  count: number
  readonly waiters: (() => void)[]
}

/** Attempts of this process whose outcome is pending, by the key that they are counted for. */
export class RunningAttempts {
  private readonly byKey = new Map<string, AttemptGroup>()

  begin(key: string): void {
    const group = this.byKey.get(key) ?? { count: 0, waiters: [] }
    group.count += 1
    this.byKey.set(key, group)
  }

  /** Wakes the waiting attempts, which retry. */
  end(key: string): void {
    const group = this.byKey.get(key)!
    group.count -= 1
    if (group.count === 0) this.byKey.delete(key)
    for (const wake of group.waiters.splice(0)) wake()
  }

  /** Ends a rejected attempt and resolves when another one ends; null if it was the last. */
  waitForOthers(key: string): Promise<void> | null {
    const group = this.byKey.get(key)!
    if (group.count === 1) {
      this.end(key)
      return null
    }
    group.count -= 1
    return new Promise((resolve) => group.waiters.push(resolve))
  }
}
