import type { Blobs } from '../../../platform/blobs/blobs.ts'
import { folderOf } from '../../usage/stored-bytes.ts'
import type { ObjectSizes } from './drift.ts'

/** The number of concurrent HEAD requests. */
const heads_at_once = 16

/**
 * Reads the object size at each path: one listing of the organization's prefix, and a HEAD request for each path that is
 * not in it. Must not be awaited inside a transaction.
 */
export async function measureObjects(
  blobs: Pick<Blobs, 'list' | 'head'>,
  organization: string,
  paths: Iterable<string>,
  signal: AbortSignal,
): Promise<ObjectSizes> {
  const unseen = new Set(paths)
  const sizes = new Map<string, number | null>()
  if (unseen.size === 0) return sizes
  for await (const { path, size } of blobs.list(`${folderOf(organization)}/`)) {
    signal.throwIfAborted()
    if (unseen.delete(path)) sizes.set(path, size)
  }
  const left = unseen.values()
  const ask = async (): Promise<void> => {
    for (const path of left) {
      signal.throwIfAborted()
      sizes.set(path, (await blobs.head(path))?.size ?? null)
    }
  }
  await Promise.all(Array.from({ length: heads_at_once }, ask))
  return sizes
}
