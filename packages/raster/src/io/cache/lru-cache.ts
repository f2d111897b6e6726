/** Values by name of which the longest unused go first. */
export interface LruCache<Value> {
  readonly entries: number
  readonly bytes: number
  /** The value, from now on the last to go. */
  get(key: string): Value | undefined
  /** Keeps a value that takes so many bytes, in place of an earlier one. One that is larger than the limit is not kept. */
  set(key: string, value: Value, bytes: number): void
  delete(key: string): void
}

/** Keeps values up to a number of entries and a sum of bytes. */
export function createLruCache<Value>(limit: { readonly entries: number; readonly bytes: number }): LruCache<Value> {
  // A map remembers the order in which its keys were set: the first one is the longest unused.
  const kept = new Map<string, { readonly value: Value; readonly bytes: number }>()
  let bytes = 0
  const remove = (key: string): void => {
    bytes -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }
  return {
    get entries() {
      return kept.size
    },
    get bytes() {
      return bytes
    },
    get(key) {
      const entry = kept.get(key)
      if (!entry) return undefined
      kept.delete(key)
      kept.set(key, entry)
      return entry.value
    },
    set(key, value, size) {
      remove(key)
      if (size > limit.bytes) return
      kept.set(key, { value, bytes: size })
      bytes += size
      for (const oldest of kept.keys()) {
        if (kept.size <= limit.entries && bytes <= limit.bytes) return
        remove(oldest)
      }
    },
    delete: remove,
  }
}
