import { uploadsPartUrlOperation } from '@swath/contract/operations/uploads.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { prepareUploadUrl } from '../prepare-upload-url.ts'
import { reserveUploadUrl, isS3Store } from '../presigned-urls.ts'
import { requireLockedUpload, isOpenUpload } from '../upload-transitions.ts'
import { hasWholeFileUploadUrl } from '../store.upload-urls.ts'
import { listUploadFiles, updateMultipartUpload, type UploadFileRow } from '../store.files.ts'

export const handler = defineHandler(uploadsPartUrlOperation, async (call, input) => {
  const { file, urlOptions } = await prepareUploadUrl(call, input)
  const multipart_id = file.part_upload ?? (await beginMultipartUpload(call, file))
  await reserveUploadUrl(call, { file, part: input.number, multipart_id, size: urlOptions.size ?? null })
  const { url, expires_at } = await call.blobs.signUploadPart(file.object_path, multipart_id, input.number, urlOptions)
  return {
    upload_url: url,
    object_path: file.object_path,
    expires_at: expires_at.toISOString(),
    number: input.number,
  }
})

/** Begins a multipart upload; of two concurrent ones only one stays. */
async function beginMultipartUpload(call: Call, file: UploadFileRow): Promise<string> {
  const { db, blobs, organization } = call
  // An S3 object without a URL of its own was joined from parts that are now sent again: it is deleted.
  if (isS3Store(blobs) && !(await hasWholeFileUploadUrl(db, organization, file.upload_id, file.id)))
    await blobs.delete(file.object_path)
  const multipart_id = await blobs.createMultipartUpload(file.object_path, file.media_type)
  if (await saveMultipartUpload(call, file, multipart_id)) return multipart_id
  await blobs.abortMultipartUpload(file.object_path, multipart_id)
  const [current] = (await listUploadFiles(db, organization, file.upload_id)).filter(({ id }) => id === file.id)
  if (current?.part_upload) return current.part_upload
  throw new Problem('invalid-state', 'The upload accepts no more data.')
}

/** False also for a session that has ended meanwhile: nothing would abort the multipart upload. */
const saveMultipartUpload = (call: Call, file: UploadFileRow, multipart_id: string): Promise<boolean> =>
  call.transaction(async (tx) => {
    const row = await requireLockedUpload(tx, call, file.upload_id)
    return isOpenUpload(row) && updateMultipartUpload(tx, call.organization, file.id, multipart_id)
  })
