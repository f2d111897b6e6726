interface Running {
  count: number
  readonly waiting: (() => void)[]
}

/** Attempts of this process whose outcome is pending, by the key that they are counted for. */
export class RunningAttempts {
  private readonly byKey = new Map<string, Running>()

  begin(key: string): void {
    const known = this.byKey.get(key) ?? { count: 0, waiting: [] }
    known.count += 1
    this.byKey.set(key, known)
  }

  /** Wakes the waiting attempts, which retry. */
  end(key: string): void {
    const known = this.byKey.get(key)!
    known.count -= 1
    if (known.count === 0) this.byKey.delete(key)
    for (const wake of known.waiting.splice(0)) wake()
  }

  /** Ends a rejected attempt and resolves when another one ends; null if it was the last. */
  waitForOthers(key: string): Promise<void> | null {
    const known = this.byKey.get(key)!
    if (known.count === 1) {
      this.end(key)
      return null
    }
    known.count -= 1
    return new Promise((resolve) => known.waiting.push(resolve))
  }
}
