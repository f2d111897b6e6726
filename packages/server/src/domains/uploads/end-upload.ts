import type { Upload } from '@swath/contract/schemas/upload.ts'
import type { Call } from '../../engine/call.ts'
import { requireUpload } from './access.ts'
import {
  requireLockedUpload,
  isOpenUpload,
  transitionUpload,
  createInvalidUploadStateProblem,
} from './upload-transitions.ts'
import type { UploadRow } from './store.ts'
import { readUploadWithFiles } from './upload.ts'

/**
 * Ends a session for its sender: releases its reservation and removes the received objects. A session that is being
 * ingested cannot be ended, because its items may exist already. Throws `not-found`, `not-a-member`, `invalid-state`.
 */
export async function endUploadSession(
  call: Call,
  upload_id: string,
  move: 'fail' | 'cancel',
  change: Partial<UploadRow> = {},
): Promise<Upload> {
  await requireUpload(call, upload_id, 'write', { allowArchived: true })
  const row = await call.transaction(async (tx) => {
    const lockedUpload = await requireLockedUpload(tx, call, upload_id)
    if (!isOpenUpload(lockedUpload)) throw createInvalidUploadStateProblem(lockedUpload)
    return transitionUpload(tx, call, { row: lockedUpload, name: move, change })
  })
  return readUploadWithFiles(call.db, call.blobs, row)
}
