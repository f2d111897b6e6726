import type { Clock } from '../clock.ts'
import { BlobTooLarge, type BlobPrefixQuota } from './blobs.ts'

/** Tracks the stored and arriving bytes of prefixes that have a quota. */
export interface BlobPrefixQuotas {
  /**
   * Runs `work`, which reports arriving bytes for the path to `count`; `count` throws `BlobTooLarge` as soon as the prefix
   * would exceed its quota. The bytes already stored at paths that are written are not counted, because they are replaced.
   */
  reserve<T>(
    path: string,
    quota: BlobPrefixQuota | null,
    work: (count: (bytes: number) => void) => Promise<T>,
  ): Promise<T>
  /** Records the size now stored at the path; null for no object. */
  recordSize(path: string, size: number | null): void
}

/** The objects stored under a prefix. */
interface StoredSizes {
  readonly sizes: Map<string, number>
  bytes: number
}

/** An object that is arriving. */
interface Writer {
  readonly path: string
  arrived_bytes: number
}

/** The stored objects together with those that are arriving. */
interface PrefixUsage {
  stored: Promise<StoredSizes>
  measured_at_ms: number
  readonly writers: Set<Writer>
}

/** Other processes may write into the same folder, so a measurement expires after this time. */
const stale_ms = 30_000
const max_tracked_prefixes = 1000

/** Lists a prefix once, then counts what this process writes. */
export function createBlobPrefixQuotas(
  list: (prefix: string) => AsyncIterable<{ path: string; size: number }>,
  clock: Clock,
): BlobPrefixQuotas {
  // Not a bounded cache: the reservations of active writers must not be evicted.
  const usages = new Map<string, PrefixUsage>()
  const measure = async (folder: string): Promise<StoredSizes> => {
    const stored: StoredSizes = { sizes: new Map(), bytes: 0 }
    for await (const { path, size } of list(`${folder}/`)) setSize(stored, path, size)
    return stored
  }
  const usageOf = (folder: string): PrefixUsage => {
    const now_ms = clock.now().getTime()
    const cached = usages.get(folder)
    if (cached && now_ms - cached.measured_at_ms < stale_ms) return cached
    const measured = { stored: measure(folder), measured_at_ms: now_ms }
    if (cached) return Object.assign(cached, measured)
    for (const [name, { writers }] of usages)
      if (usages.size >= max_tracked_prefixes && writers.size === 0) usages.delete(name)
    const usage = { ...measured, writers: new Set<Writer>() }
    usages.set(folder, usage)
    return usage
  }
  return {
    reserve: async (path, quota, work) => {
      if (quota === null) return work(() => {})
      const usage = usageOf(quota.folder)
      const writer: Writer = { path, arrived_bytes: 0 }
      usage.writers.add(writer)
      try {
        const stored = await usage.stored
        return await work((bytes) => {
          writer.arrived_bytes += bytes
          if (countBytes(stored, usage.writers) > quota.bytes) throw new BlobTooLarge(quota.bytes)
        })
      } finally {
        usage.writers.delete(writer)
      }
    },
    recordSize: (path, size) => {
      for (const [folder, { stored }] of usages)
        if (path.startsWith(`${folder}/`))
          void stored.then(
            (cached) => setSize(cached, path, size),
            () => {},
          )
    },
  }
}

/**
 * Sums the stored bytes and those that writers have received. The object at the path of a writer is not counted: it is
 * replaced, or is already the received one, while its folder is synced to disk.
 */
function countBytes({ bytes, sizes }: StoredSizes, writers: ReadonlySet<Writer>): number {
  const paths = new Set([...writers].map(({ path }) => path))
  const replaced_bytes = [...paths].reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0)
  return [...writers].reduce((sum, { arrived_bytes }) => sum + arrived_bytes, bytes - replaced_bytes)
}

function setSize(stored: StoredSizes, path: string, size: number | null): void {
  stored.bytes += (size ?? 0) - (stored.sizes.get(path) ?? 0)
  if (size === null) stored.sizes.delete(path)
  else stored.sizes.set(path, size)
}
