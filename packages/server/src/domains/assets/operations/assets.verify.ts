import { createHash } from 'node:crypto'
import { assetsVerifyOperation } from '@swath/contract/operations/assets.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { BlobNotFound, type BlobStore } from '../../../platform/blobs/blobs.ts'
import { requireAsset, requireItem } from '../../items/access.ts'

export const handler = defineHandler(assetsVerifyOperation, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const asset = await requireAsset(call, item, input.asset_id)
  if (asset.blob_path === null)
    throw new Problem('invalid-state', 'The bytes of the asset are not stored by this platform.')
  const stored = await measureStoredBytes(call.blobs, asset.blob_path, call.signal)
  const { file_size_bytes, checksum_sha256 } = asset
  return {
    asset_id: asset.id,
    stored: stored !== null,
    intact:
      stored !== null &&
      (file_size_bytes === null || file_size_bytes === stored.size) &&
      (checksum_sha256 === null || checksum_sha256 === stored.sha256),
    size_bytes: { kept: file_size_bytes, found: stored?.size ?? null },
    sha256: { kept: checksum_sha256, found: stored?.sha256 ?? null },
  }
})

/** Size and SHA-256 of the object at a path, computed while streaming; null if no object is stored. */
async function measureStoredBytes(
  blobs: BlobStore,
  path: string,
  signal: AbortSignal,
): Promise<{ size: number; sha256: string } | null> {
  const hash = createHash('sha256')
  let size = 0
  try {
    for await (const chunk of await blobs.stream(path)) {
      signal.throwIfAborted()
      hash.update(chunk)
      size += chunk.length
    }
  } catch (error) {
    if (error instanceof BlobNotFound) return null
    throw error
  }
  return { size, sha256: hash.digest('hex') }
}
