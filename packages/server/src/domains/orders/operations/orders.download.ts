import { ordersDownloadOperation } from '@swath/contract/operations/orders.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { issueArchiveUrl } from '../../items/assets/archive/issue-archive-url.ts'
import { formatDownloadFileName } from '../../items/assets/download-name.ts'
import { requireOrder } from '../access.ts'

export const handler = defineHandler(ordersDownloadOperation, async (call, input) => {
  const { id, display_name } = await requireOrder(call, input.order_id, 'read')
  const file_name = formatDownloadFileName(
    { name: display_name ?? `order-${id}` },
    { key: 'data', media_type: 'application/zip' },
  )
  return issueArchiveUrl(call, { type: 'order', id }, file_name)
})
