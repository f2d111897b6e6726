import { ordersDownload } from '@swath/contract/operations/orders.ts'
import { handler } from '../../engine/handler.ts'
import { mintArchive } from '../items/archive/mint-archive.ts'
import { downloadName } from '../items/download-name.ts'
import { requireOrder } from './access.ts'

export const downloadOrder = handler(ordersDownload, async (call, input) => {
  const { id, display_name } = await requireOrder(call, input.order_id, 'read')
  const file_name = downloadName(
    { name: display_name ?? `order-${id}` },
    { key: 'data', media_type: 'application/zip' },
  )
  return mintArchive(call, { type: 'order', id }, file_name)
})
