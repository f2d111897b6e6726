import { itemsBundlesDownloadOperation } from '@swath/contract/operations/items.bundles.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireAsset, requireItem } from '../access.ts'
import { issueArchiveUrl } from '../assets/archive/issue-archive-url.ts'
import { formatDownloadFileName } from '../assets/download-name.ts'
import { issueDownloadUrl } from '../assets/download-url.ts'
import { findItemIdOfAsset } from '../bundles/store.bundles.ts'

export const handler = defineHandler(itemsBundlesDownloadOperation, async (call, { bundle_id }) => {
  const ofAsset = await findItemIdOfAsset(call.db, call.organization, bundle_id)
  const item = await requireItem(call, ofAsset ?? bundle_id, 'read')
  if (ofAsset !== null) return issueDownloadUrl(call, item, await requireAsset(call, item, bundle_id))
  const file_name = formatDownloadFileName(item, { key: 'data', media_type: 'application/zip' })
  return issueArchiveUrl(call, { type: 'item', id: item.id }, file_name)
})
