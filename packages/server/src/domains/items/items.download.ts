import { itemsDownload } from '@swath/contract/operations/items.ts'
import { handler } from '../../engine/handler.ts'
import { requireItem } from './access.ts'
import { mintArchive } from './archive/mint-archive.ts'
import { downloadName } from './download-name.ts'

export const downloadItem = handler(itemsDownload, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const file_name = downloadName(item, { key: 'data', media_type: 'application/zip' })
  return mintArchive(call, { type: 'item', id: item.id }, file_name)
})
