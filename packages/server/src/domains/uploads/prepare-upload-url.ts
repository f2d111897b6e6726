import { limits } from '@swath/contract/limits.ts'
import type { Call } from '../../engine/call.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'
import { isValidMediaType, type SignedPutOptions } from '../../platform/blobs/blobs.ts'
import { newId } from '../../platform/ids.ts'
import { requireUpload } from './access.ts'
import { requireUploadSize } from './presigned-urls.ts'
import {
  requireLockedUpload,
  isOpenUpload,
  applyUploadTransition,
  extendUploadExpiry,
  createInvalidUploadStateProblem,
} from './upload-transitions.ts'
import { validateFileName, getUploadBlobPrefix, buildUploadObjectPath } from './object-paths.ts'
import { updateUpload, type UploadRow } from './store.ts'
import { countOtherUploadFiles, upsertUploadFile, type UploadFileRow } from './store.files.ts'

/** A request for an upload URL of a file of a session. */
export interface UploadUrlRequest {
  readonly upload_id: string
  readonly file_name: string
  readonly content_type: string
  readonly size_bytes?: number | null
}

/**
 * Registers the file in an open session and returns the options of its upload URL, or of one part: exactly the announced
 * size, within the bytes that the session has reserved.
 */
export async function prepareUploadUrl(
  call: Call,
  request: UploadUrlRequest,
): Promise<{ file: UploadFileRow; urlOptions: SignedPutOptions }> {
  await requireUpload(call, request.upload_id, 'write')
  validateFileName(request.file_name)
  if (!isValidMediaType(request.content_type))
    throw validationProblem([{ path: 'content_type', message: 'is not a media type' }])
  const size = request.size_bytes ?? null
  requireUploadSize(call.blobs, size)
  const { row, file } = await registerFile(call, request)
  if (size !== null && size > row.reserved_bytes)
    throw validationProblem([{ path: 'size_bytes', message: `is more than the ${row.reserved_bytes} bytes reserved` }])
  const reservation = { folder: getUploadBlobPrefix(call.organization, row.id), bytes: row.reserved_bytes }
  const expires_s = limits.upload_url_seconds
  return { file, urlOptions: { expires_s, media_type: file.media_type, base: call.baseUrl, size, within: reservation } }
}

const registerFile = (call: Call, request: UploadUrlRequest): Promise<{ row: UploadRow; file: UploadFileRow }> =>
  call.transaction(async (tx) => {
    const { organization } = call
    const now = call.clock.now()
    const lockedUpload = await requireLockedUpload(tx, call, request.upload_id)
    if (!isOpenUpload(lockedUpload)) throw createInvalidUploadStateProblem(lockedUpload)
    const otherCount = await countOtherUploadFiles(tx, organization, lockedUpload.id, request.file_name)
    if (otherCount >= lockedUpload.file_count)
      throw new Problem(
        'invalid-state',
        `The upload was opened for ${lockedUpload.file_count} files and already has that many.`,
      )
    const row =
      lockedUpload.status === 'initiated'
        ? applyUploadTransition(lockedUpload, 'send', now)
        : extendUploadExpiry(lockedUpload, now)
    await updateUpload(tx, row)
    const id = newId()
    const file = await upsertUploadFile(tx, {
      organization_id: organization,
      upload_id: lockedUpload.id,
      id,
      file_name: request.file_name,
      object_path: buildUploadObjectPath(organization, lockedUpload.id, id, request.file_name),
      media_type: request.content_type,
      parent_id: null,
      status: 'expected',
      size_bytes: null,
      sha256: null,
      created_at: now,
    })
    return { row, file }
  })
