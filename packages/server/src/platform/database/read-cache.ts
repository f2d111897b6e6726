import { createBoundedCache, type BoundedCache } from '../bounded-cache.ts'
import { monotonic_ms } from '../clock.ts'

/** A read that missed the notification of a change is made again after this time. */
const max_age_ms = 1000
const max_organizations = 1000
const max_reads_per_organization = 250

/** A short-lived cache of reads, for what many requests need at once, such as the item of all tiles of a map. */
export interface ReadCache<Value> {
  /**
   * The result of `load`, in this or another call with the same organization and key, at most a second old and read
   * since the last invalidation. Simultaneous calls share one read. Null and errors go to those who wait for them, and
   * are not cached.
   */
  read(organization: string, key: string, load: () => Promise<Value | null>): Promise<Value | null>
  /** Called with the organization of a change that is committed. */
  invalidate(organization: string): void
}

export function createDatabaseReadCache<Value>(now_ms: () => number = monotonic_ms): ReadCache<Value> {
  type Reads = BoundedCache<string, Promise<Value | null>>
  const organizations = createBoundedCache<string, Reads>({ max_entries: max_organizations })

  const readsOf = (organization: string): Reads => {
    const found = organizations.get(organization)
    if (found) return found
    const created: Reads = createBoundedCache({
      max_entries: max_reads_per_organization,
      max_age: { ms: max_age_ms, now_ms },
    })
    organizations.set(organization, created)
    return created
  }

  return {
    read: (organization, key, load) => {
      const reads = readsOf(organization)
      const found = reads.get(key)
      if (found) return found
      const read = load()
      reads.set(key, read)
      const remove = (): void => {
        if (reads.get(key) === read) reads.delete(key)
      }
      read.then((value) => value === null && remove(), remove)
      return read
    },
    // A read that began before the change is stored in what is removed here, so nobody finds it.
    invalidate: (organization) => organizations.delete(organization),
  }
}
