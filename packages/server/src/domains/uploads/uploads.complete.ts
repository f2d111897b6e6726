import { uploadsComplete } from '@swath/contract/operations/uploads.ts'
import type { Call } from '../../engine/call.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { requireUpload } from './access.ts'
import { ingestNow } from './ingest-now.ts'
import { ingestUploadTask, isSmall, patience_ms } from './ingest-terms.ts'
import { heldUpload, isOpen, moveUpload, wrongState } from './moves.ts'
import { findUpload, type UploadRow } from './store.ts'
import { keepVerified, listFiles, type VerifiedFile } from './store.files.ts'
import { readUpload } from './upload.ts'
import { verifyFiles, type SentFile } from './verify.ts'

export const completeUpload = handler(uploadsComplete, async (call, { upload_id, files }) => {
  const row = await requireUpload(call, upload_id, 'write', { allowArchived: true })
  const begun = isOpen(row) && (await accept(call, row, files))
  const now = (await findUpload(call.db, call.organization, upload_id))!
  if (!begun) await requireSame(call, now, files)

  const upload = await readUpload(call.db, call.blobs, now)
  const sent = new Set(files.map((file) => file.object_path))
  const accepted = upload.files.filter(({ object_path, status }) => sent.has(object_path) && status !== 'refused')
  return { upload, item_ids: upload.item_ids, accepted_count: new Set(accepted.map((file) => file.object_path)).size }
})

/**
 * Starts the ingestion, which then continues whatever happens to the request; a small session is ingested during the
 * request. False if another request completed or ended the session first.
 */
async function accept(call: Call, row: UploadRow, sent: readonly SentFile[]): Promise<boolean> {
  await requireUpload(call, row.id, 'write')
  const verified = await verifyFiles(call, row, sent)
  await dropOthers(call, row, verified)
  const small = isSmall(verified)
  const begun = await call.transaction(async (tx) => {
    const held = await heldUpload(tx, call, row.id)
    if (!isOpen(held)) return false
    const bytes_uploaded = verified.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
    await moveUpload(tx, call, held, 'ingest', { bytes_uploaded })
    await keepVerified(tx, call.organization, row.id, verified)
    const start_after = new Date(call.clock.process.now().getTime() + 2 * patience_ms)
    const data = { organization_id: call.organization, upload_id: row.id }
    await call.queue.enqueue(tx, ingestUploadTask, data, { singleton_key: row.id, ...(small ? { start_after } : {}) })
    return true
  })
  if (begun && small) await ingestNow(call, row.id)
  return begun
}

/** Aborts the multipart uploads of files that are not completed, because the session deletes those files. */
async function dropOthers(call: Call, row: UploadRow, verified: readonly VerifiedFile[]): Promise<void> {
  const kept = new Set(verified.map(({ id }) => id))
  for (const { id, object_path, part_upload } of await listFiles(call.db, call.organization, row.id))
    if (part_upload !== null && !kept.has(id)) await call.blobs.dropParts(object_path, part_upload)
}

/** A repeated request returns the current state; with other files it is rejected. */
async function requireSame(call: Call, row: UploadRow, sent: readonly SentFile[]): Promise<void> {
  const files: readonly Pick<VerifiedFile & { object_path: string }, 'object_path' | 'sha256'>[] = (
    await listFiles(call.db, call.organization, row.id)
  ).flatMap(({ object_path, sha256, parent_id, status }) =>
    parent_id === null && status !== 'expected' && sha256 !== null ? [{ object_path, sha256 }] : [],
  )
  if (files.length === 0) throw wrongState(row)
  const known = new Map(files.map((file) => [file.object_path, file.sha256]))
  const same =
    sent.length === known.size && sent.every((file) => known.get(file.object_path) === file.sha256.toLowerCase())
  if (!same) throw new Problem('invalid-state', `The upload is ${row.status} with other files than these.`)
}
