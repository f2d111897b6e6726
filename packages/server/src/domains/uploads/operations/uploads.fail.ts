import { uploadsFailOperation } from '@swath/contract/operations/uploads.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { endUploadSession } from '../end-upload.ts'

export const handler = defineHandler(uploadsFailOperation, (call, { upload_id, error_message, error_step = null }) =>
  endUploadSession(call, upload_id, 'fail', { error_message, error_step }),
)
