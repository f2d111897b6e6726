import { uploadsGetOperation } from '@swath/contract/operations/uploads.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireUpload } from '../access.ts'
import { readUploadWithFiles } from '../upload.ts'

export const handler = defineHandler(uploadsGetOperation, async (call, input) => {
  const row = await requireUpload(call, input.upload_id, 'read')
  return { upload: await readUploadWithFiles(call.db, call.blobs, row) }
})
