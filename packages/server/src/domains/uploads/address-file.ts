import { limits } from '@swath/contract/limits.ts'
import type { Call } from '../../engine/call.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'
import { isMediaType, type PutTerms } from '../../platform/blobs/blobs.ts'
import { newId } from '../../platform/ids.ts'
import { requireUpload } from './access.ts'
import { requireSize } from './bucket-addresses.ts'
import { heldUpload, isOpen, moved, touched, wrongState } from './moves.ts'
import { checkFileName, folderOfUpload, objectPathOf } from './object-paths.ts'
import { saveUpload, type UploadRow } from './store.ts'
import { countFiles, insertFile, type FileRow } from './store.files.ts'

/** A request for an upload URL of a file of a session. */
export interface AddressedFile {
  readonly upload_id: string
  readonly file_name: string
  readonly content_type: string
  readonly size_bytes?: number | null
}

/**
 * Registers the file in an open session and returns the options of its upload URL, or of one part: exactly the announced
 * size, within the bytes that the session has reserved.
 */
export async function addressFile(call: Call, asked: AddressedFile): Promise<{ file: FileRow; terms: PutTerms }> {
  await requireUpload(call, asked.upload_id, 'write')
  checkFileName(asked.file_name)
  if (!isMediaType(asked.content_type))
    throw validationProblem([{ path: 'content_type', message: 'is not a media type' }])
  const size = asked.size_bytes ?? null
  requireSize(call.blobs, size)
  const { row, file } = await enterFile(call, asked)
  if (size !== null && size > row.reserved_bytes)
    throw validationProblem([{ path: 'size_bytes', message: `is more than the ${row.reserved_bytes} bytes reserved` }])
  const within = { folder: folderOfUpload(call.organization, row.id), bytes: row.reserved_bytes }
  const expires_s = limits.upload_address_seconds
  return { file, terms: { expires_s, media_type: file.media_type, base: call.baseUrl, size, within } }
}

const enterFile = (call: Call, asked: AddressedFile): Promise<{ row: UploadRow; file: FileRow }> =>
  call.transaction(async (tx) => {
    const { organization } = call
    const now = call.clock.now()
    const held = await heldUpload(tx, call, asked.upload_id)
    if (!isOpen(held)) throw wrongState(held)
    const others = await countFiles(tx, organization, held.id, asked.file_name)
    if (others >= held.file_count)
      throw new Problem(
        'invalid-state',
        `The upload was opened for ${held.file_count} files and already has that many.`,
      )
    const row = held.status === 'initiated' ? moved(held, 'send', now) : touched(held, now)
    await saveUpload(tx, row)
    const id = newId()
    const file = await insertFile(tx, {
      organization_id: organization,
      upload_id: held.id,
      id,
      file_name: asked.file_name,
      object_path: objectPathOf(organization, held.id, id, asked.file_name),
      media_type: asked.content_type,
      parent_id: null,
      status: 'expected',
      size_bytes: null,
      sha256: null,
      created_at: now,
    })
    return { row, file }
  })
