import { uploadsGet } from '@swath/contract/operations/uploads.ts'
import { handler } from '../../engine/handler.ts'
import { requireUpload } from './access.ts'
import { readUpload } from './upload.ts'

export const getUpload = handler(uploadsGet, async (call, input) => {
  const row = await requireUpload(call, input.upload_id, 'read')
  return { upload: await readUpload(call.db, call.blobs, row) }
})
