import { uploadsCompleteOperation } from '@swath/contract/operations/uploads.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { requireUpload } from '../access.ts'
import { ingestInRequest } from '../ingest-in-request.ts'
import { isSmallUpload, inline_ingest_timeout_ms } from '../ingest-limits.ts'
import {
  requireLockedUpload,
  isOpenUpload,
  transitionUpload,
  createInvalidUploadStateProblem,
} from '../upload-transitions.ts'
import { findUpload, type UploadRow } from '../store.ts'
import { markUploadFilesVerified, listUploadFiles, type VerifiedUploadFile } from '../store.files.ts'
import { readUploadWithFiles } from '../upload.ts'
import { verifyUploadedFiles, type DeclaredUploadFile } from '../verify.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'

export const handler = defineHandler(uploadsCompleteOperation, async (call, { upload_id, files }) => {
  const row = await requireUpload(call, upload_id, 'write', { allowArchived: true })
  const isStarted = isOpenUpload(row) && (await startIngestion(call, row, files))
  const current = (await findUpload(call.db, call.organization, upload_id))!
  if (!isStarted) await requireSameFiles(call, current, files)

  const upload = await readUploadWithFiles(call.db, call.blobs, current)
  const sent = new Set(files.map((file) => file.object_path))
  const accepted = upload.files.filter(({ object_path, status }) => sent.has(object_path) && status !== 'refused')
  return { upload, item_ids: upload.item_ids, accepted_count: new Set(accepted.map((file) => file.object_path)).size }
})

/**
 * Starts the ingestion, which then continues whatever happens to the request; a small session is ingested during the
 * request. False if another request completed or ended the session first.
 */
async function startIngestion(call: Call, row: UploadRow, sent: readonly DeclaredUploadFile[]): Promise<boolean> {
  await requireUpload(call, row.id, 'write')
  const verified = await verifyUploadedFiles(call, row, sent)
  await abortUnverifiedParts(call, row, verified)
  const isInline = isSmallUpload(verified)
  const isStarted = await call.transaction(async (tx) => {
    const lockedUpload = await requireLockedUpload(tx, call, row.id)
    if (!isOpenUpload(lockedUpload)) return false
    const bytes_uploaded = verified.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
    await transitionUpload(tx, call, { row: lockedUpload, name: 'ingest', change: { bytes_uploaded } })
    await markUploadFilesVerified(tx, call.organization, row.id, verified)
    const data = { organization_id: call.organization, upload_id: row.id }
    await call.queue.enqueue(tx, backgroundTaskTypes.ingestUpload, data, {
      singleton_key: row.id,
      ...(isInline ? { delay_ms: 2 * inline_ingest_timeout_ms } : {}),
    })
    return true
  })
  if (isStarted && isInline) await ingestInRequest(call, row.id)
  return isStarted
}

/** Aborts the multipart uploads of files that are not completed, because the session deletes those files. */
async function abortUnverifiedParts(
  call: Call,
  row: UploadRow,
  verified: readonly VerifiedUploadFile[],
): Promise<void> {
  const verifiedIds = new Set(verified.map(({ id }) => id))
  for (const { id, object_path, part_upload } of await listUploadFiles(call.db, call.organization, row.id))
    if (part_upload !== null && !verifiedIds.has(id)) await call.blobs.abortMultipartUpload(object_path, part_upload)
}

/** A repeated request returns the current state; with other files it is rejected. */
async function requireSameFiles(call: Call, row: UploadRow, sent: readonly DeclaredUploadFile[]): Promise<void> {
  const files: readonly Pick<VerifiedUploadFile & { object_path: string }, 'object_path' | 'sha256'>[] = (
    await listUploadFiles(call.db, call.organization, row.id)
  ).flatMap(({ object_path, sha256, parent_id, status }) =>
    parent_id === null && status !== 'expected' && sha256 !== null ? [{ object_path, sha256 }] : [],
  )
  if (files.length === 0) throw createInvalidUploadStateProblem(row)
  const checksumsByPath = new Map(files.map((file) => [file.object_path, file.sha256]))
  const isSame =
    sent.length === checksumsByPath.size &&
    sent.every((file) => checksumsByPath.get(file.object_path) === file.sha256.toLowerCase())
  if (!isSame) throw new Problem('invalid-state', `The upload is ${row.status} with other files than these.`)
}
