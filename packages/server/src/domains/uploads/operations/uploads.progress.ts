import { uploadsProgressOperation } from '@swath/contract/operations/uploads.ts'
import type { UploadTransitionName } from '@swath/contract/lifecycles.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireUpload } from '../access.ts'
import {
  requireLockedUpload,
  isOpenUpload,
  applyUploadTransition,
  extendUploadExpiry,
  createInvalidUploadStateProblem,
} from '../upload-transitions.ts'
import { updateUpload } from '../store.ts'
import { readUploadWithFiles } from '../upload.ts'

const moveByStatus: Readonly<Record<'uploading' | 'uploaded', UploadTransitionName>> = {
  uploading: 'send',
  uploaded: 'receive',
}

export const handler = defineHandler(uploadsProgressOperation, async (call, input) => {
  const { upload_id, status = null, bytes_uploaded = null } = input
  const hasReport = status !== null || bytes_uploaded !== null
  const upload = await requireUpload(call, upload_id, hasReport ? 'write' : 'read')
  if (!hasReport) return readUploadWithFiles(call.db, call.blobs, upload)

  const row = await call.transaction(async (tx) => {
    const lockedUpload = await requireLockedUpload(tx, call, upload_id)
    if (!isOpenUpload(lockedUpload)) throw createInvalidUploadStateProblem(lockedUpload)
    const now = call.clock.now()
    const change = { bytes_uploaded: Math.max(lockedUpload.bytes_uploaded, bytes_uploaded ?? 0) }
    const next =
      status === null || status === lockedUpload.status
        ? extendUploadExpiry({ ...lockedUpload, ...change }, now)
        : applyUploadTransition(lockedUpload, moveByStatus[status], now, change)
    await updateUpload(tx, next)
    return next
  })
  return readUploadWithFiles(call.db, call.blobs, row)
})
