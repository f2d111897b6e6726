import { uploadsFail } from '@swath/contract/operations/uploads.ts'
import { handler } from '../../engine/handler.ts'
import { endUpload } from './end-upload.ts'

export const failUpload = handler(uploadsFail, (call, { upload_id, error_message, error_step = null }) =>
  endUpload(call, upload_id, 'fail', { error_message, error_step }),
)
