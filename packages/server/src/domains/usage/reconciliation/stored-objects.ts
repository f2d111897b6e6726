import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import { getOrganizationBlobPrefix } from '../stored-bytes.ts'
import type { ObjectSizes } from './drift.ts'

/** The number of concurrent HEAD requests. */
const max_concurrent_heads = 16

/**
 * Reads the object size at each path: one listing of the organization's prefix, and a HEAD request for each path that is
 * not in it. Must not be awaited inside a transaction.
 */
export async function readObjectSizes(
  blobs: Pick<BlobStore, 'list' | 'head'>,
  organization: string,
  paths: Iterable<string>,
  signal: AbortSignal,
): Promise<ObjectSizes> {
  const unlisted = new Set(paths)
  const sizes = new Map<string, number | null>()
  if (unlisted.size === 0) return sizes
  for await (const { path, size } of blobs.list(`${getOrganizationBlobPrefix(organization)}/`)) {
    signal.throwIfAborted()
    if (unlisted.delete(path)) sizes.set(path, size)
  }
  const remaining = unlisted.values()
  const headRemaining = async (): Promise<void> => {
    for (const path of remaining) {
      signal.throwIfAborted()
      sizes.set(path, (await blobs.head(path))?.size ?? null)
    }
  }
  await Promise.all(Array.from({ length: max_concurrent_heads }, headRemaining))
  return sizes
}
