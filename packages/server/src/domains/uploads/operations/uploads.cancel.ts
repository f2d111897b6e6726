import { uploadsCancelOperation } from '@swath/contract/operations/uploads.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { endUpload } from '../end-upload.ts'

export const handler = defineHandler(uploadsCancelOperation, (call, { upload_id }) =>
  endUpload(call, upload_id, 'cancel'),
)
