import { uploadsCancel } from '@swath/contract/operations/uploads.ts'
import { handler } from '../../engine/handler.ts'
import { endUpload } from './end-upload.ts'

export const cancelUpload = handler(uploadsCancel, (call, { upload_id }) => endUpload(call, upload_id, 'cancel'))
