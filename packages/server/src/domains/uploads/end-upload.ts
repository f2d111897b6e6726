import type { Upload } from '@swath/contract/shapes/upload.ts'
import type { Call } from '../../engine/call.ts'
import { requireUpload } from './access.ts'
import { heldUpload, isOpen, moveUpload, wrongState } from './moves.ts'
import type { UploadRow } from './store.ts'
import { readUpload } from './upload.ts'

/**
 * Ends a session for its sender: releases its reservation and removes the received objects. A session that is being
 * ingested cannot be ended, because its items may exist already. Throws `not-found`, `not-a-member`, `invalid-state`.
 */
export async function endUpload(
  call: Call,
  upload_id: string,
  move: 'fail' | 'cancel',
  change: Partial<UploadRow> = {},
): Promise<Upload> {
  await requireUpload(call, upload_id, 'write', { allowArchived: true })
  const row = await call.transaction(async (tx) => {
    const held = await heldUpload(tx, call, upload_id)
    if (!isOpen(held)) throw wrongState(held)
    return moveUpload(tx, call, held, move, change)
  })
  return readUpload(call.db, call.blobs, row)
}
