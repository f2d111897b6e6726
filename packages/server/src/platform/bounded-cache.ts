import { LRUCache } from 'lru-cache'

export interface BoundedCacheOptions<Key, Value> {
  /** Required without `max_size`. The index of this many entries is allocated at once. */
  readonly max_entries?: number
  /** Maximum size of all values together, in the unit of `sizeOf`. A value that is larger alone is not stored. */
  readonly max_size?: number
  /** The size of a value, an integer; an empty one counts as one. Required with `max_size`. */
  readonly sizeOf?: (value: Value) => number
  /** An entry is found until it is older than this; reading it does not prolong it. */
  readonly max_age?: { readonly ms: number; readonly now_ms: () => number }
  /** Called with each value that leaves: evicted, expired, replaced, deleted or cleared. */
  readonly onRemove?: (value: Value, key: Key) => void
}

/** A cache whose memory is bounded: a new entry evicts the least recently read or written ones. */
export interface BoundedCache<Key, Value> {
  /** Undefined if there is no entry or it has expired. */
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  delete(key: Key): void
  clear(): void
  /** Evicts until a value of this size fits, so that it can be loaded without exceeding `max_size`. */
  evictFor(size: number): void
}

/**
 * Creates a cache. It is for what can be computed again: not for queues, counters, leases and what others hold by name,
 * which must not be lost.
 */
export function createBoundedCache<Key extends {}, Value extends {}>({
  max_entries,
  max_size,
  sizeOf,
  max_age,
  onRemove,
}: BoundedCacheOptions<Key, Value>): BoundedCache<Key, Value> {
  const cache = new LRUCache<Key, Value>({
    max: max_entries ?? 0,
    maxSize: max_size ?? 0,
    ...(sizeOf ? { sizeCalculation: (value: Value) => Math.max(1, sizeOf(value)) } : {}),
    ...(max_age ? expiryOptions(max_age) : {}),
    ...(onRemove ? { dispose: (value: Value, key: Key) => onRemove(value, key) } : {}),
  })
  return {
    get: (key) => cache.get(key),
    set: (key, value) => void cache.set(key, value),
    delete: (key) => void cache.delete(key),
    clear: () => cache.clear(),
    evictFor: (size) => {
      while (cache.size > 0 && cache.calculatedSize + size > cache.maxSize) cache.pop()
    },
  }
}

/** Reads the clock at every access. One is added because the library takes a start at zero for an entry without an end. */
const expiryOptions = ({ ms, now_ms }: NonNullable<BoundedCacheOptions<never, never>['max_age']>) => ({
  ttl: ms,
  ttlResolution: 0,
  perf: { now: () => now_ms() + 1 },
})
