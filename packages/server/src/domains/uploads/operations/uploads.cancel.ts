import { uploadsCancelOperation } from '@swath/contract/operations/uploads.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { endUploadSession } from '../end-upload.ts'

export const handler = defineHandler(uploadsCancelOperation, (call, { upload_id }) =>
  endUploadSession(call, upload_id, 'cancel'),
)
