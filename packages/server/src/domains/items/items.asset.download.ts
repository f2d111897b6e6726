import { limits } from '@swath/contract/limits.ts'
import { itemsAssetDownload } from '@swath/contract/operations/items.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { requireDownloader } from '../billing/standing.ts'
import { requireAsset, requireItem } from './access.ts'
import { downloadName } from './download-name.ts'

export const downloadAsset = handler(itemsAssetDownload, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  await requireDownloader(call)
  const asset = await requireAsset(call, item, input.asset_id)
  if (!asset.ready || asset.blob_path === null) {
    throw new Problem('invalid-state', 'The bytes of the asset are not in storage.')
  }
  const signed = await call.blobs.signGet(asset.blob_path, {
    expires_s: limits.signed_url_seconds,
    file_name: downloadName(item, asset),
    media_type: asset.media_type,
    base: call.baseUrl,
  })
  call.log.set({ asset: asset.id, asset_bytes: asset.file_size_bytes })
  return {
    url: signed.url,
    expires_in_seconds: limits.signed_url_seconds,
    asset_id: asset.id,
    size_bytes: asset.file_size_bytes,
    media_type: asset.media_type,
  }
})
