/** Reads of which callers that ask for the same at the same time share one. */
export interface CoalescedReads<Value> {
  /**
   * What `load` returns, or what the `load` of another caller with this key returns that starts after this call: so nobody
   * is given a state from before the own request. An error goes to all callers that share the read, and is not kept.
   */
  read(key: string, load: () => Promise<Value>): Promise<Value>
}

interface RunningRead<Value> {
  readonly current: Promise<Value>
  /** Starts when the current one has ended; null until somebody asks for it. */
  next: Promise<Value> | null
}

/**
 * Coalesces requests as a CDN does, but keeps nothing: for each key one read runs, and everybody who comes meanwhile waits for
 * one more. It is for what many requests need at once, such as the item of all tiles of a map.
 */
export function createCoalescedReads<Value>(): CoalescedReads<Value> {
  const reads = new Map<string, RunningRead<Value>>()

  const start = (key: string, load: () => Promise<Value>): Promise<Value> => {
    const read: RunningRead<Value> = { current: load(), next: null }
    reads.set(key, read)
    // The next read, if there is one, replaces the entry.
    const end = (): void => {
      if (read.next === null) reads.delete(key)
    }
    read.current.then(end, end)
    return read.current
  }

  return {
    read: (key, load) => {
      const read = reads.get(key)
      if (!read) return start(key, load)
      const startNext = (): Promise<Value> => start(key, load)
      read.next ??= read.current.then(startNext, startNext)
      return read.next
    },
  }
}
