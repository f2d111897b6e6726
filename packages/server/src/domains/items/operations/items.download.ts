import { itemsDownloadOperation } from '@swath/contract/operations/items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireItem } from '../access.ts'
import { issueArchiveUrl } from '../assets/archive/issue-archive-url.ts'
import { formatDownloadFileName } from '../assets/download-name.ts'

export const handler = defineHandler(itemsDownloadOperation, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const file_name = formatDownloadFileName(item, { key: 'data', media_type: 'application/zip' })
  return issueArchiveUrl(call, { type: 'item', id: item.id }, file_name)
})
