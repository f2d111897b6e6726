import { uploadsSignedUrlOperation } from '@swath/contract/operations/uploads.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { prepareUploadUrl } from '../prepare-upload-url.ts'
import { reserveUploadUrl } from '../presigned-urls.ts'

export const handler = defineHandler(uploadsSignedUrlOperation, async (call, input) => {
  const { file, urlOptions } = await prepareUploadUrl(call, input)
  await reserveUploadUrl(call, { file, part: 0, multipart_id: null, size: urlOptions.size ?? null })
  const { url, expires_at } = await call.blobs.signPut(file.object_path, urlOptions)
  return { upload_url: url, object_path: file.object_path, expires_at: expires_at.toISOString() }
})
