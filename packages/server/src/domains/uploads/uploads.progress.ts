import { uploadsProgress } from '@swath/contract/operations/uploads.ts'
import type { UploadMove } from '@swath/contract/lifecycles.ts'
import { handler } from '../../engine/handler.ts'
import { requireUpload } from './access.ts'
import { heldUpload, isOpen, moved, touched, wrongState } from './moves.ts'
import { saveUpload } from './store.ts'
import { readUpload } from './upload.ts'

const moveTo: Readonly<Record<'uploading' | 'uploaded', UploadMove>> = { uploading: 'send', uploaded: 'receive' }

export const reportProgress = handler(uploadsProgress, async (call, input) => {
  const { upload_id, status = null, bytes_uploaded = null } = input
  const reports = status !== null || bytes_uploaded !== null
  const found = await requireUpload(call, upload_id, reports ? 'write' : 'read')
  if (!reports) return readUpload(call.db, call.blobs, found)

  const row = await call.transaction(async (tx) => {
    const held = await heldUpload(tx, call, upload_id)
    if (!isOpen(held)) throw wrongState(held)
    const now = call.clock.now()
    const change = { bytes_uploaded: Math.max(held.bytes_uploaded, bytes_uploaded ?? 0) }
    const next =
      status === null || status === held.status
        ? touched({ ...held, ...change }, now)
        : moved(held, moveTo[status], now, change)
    await saveUpload(tx, next)
    return next
  })
  return readUpload(call.db, call.blobs, row)
})
