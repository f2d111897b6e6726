/** Values by name of which the longest unused go first. */
export interface LruCache<Value, Key = string> {
  readonly entries: number
  readonly bytes: number
  /** The value, from now on the last to go. */
  get(key: Key): Value | undefined
  /** Keeps a value that takes so many bytes (default 0), in place of an earlier one. One larger than the limit is not kept. */
  set(key: Key, value: Value, bytes?: number): void
  delete(key: Key): void
}

interface LruLimits<Value> {
  readonly entries: number
  /** Default: any. */
  readonly bytes?: number
  /** Told each value that goes because of a limit. */
  readonly onEvict?: (value: Value) => void
}

/** Keeps values up to a number of entries and a sum of bytes. */
export function createLruCache<Value, Key = string>(limits: LruLimits<Value>): LruCache<Value, Key> {
  const { entries, bytes: max_bytes = Infinity, onEvict } = limits
  // A map remembers the order in which its keys were set: the first one is the longest unused.
  const kept = new Map<Key, { readonly value: Value; readonly bytes: number }>()
  let bytes = 0
  const remove = (key: Key): void => {
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
    set(key, value, size = 0) {
      remove(key)
      if (size > max_bytes) return
      kept.set(key, { value, bytes: size })
      bytes += size
      for (const [oldest, entry] of kept) {
        if (kept.size <= entries && bytes <= max_bytes) return
        remove(oldest)
        onEvict?.(entry.value)
      }
    },
    delete: remove,
  }
}
