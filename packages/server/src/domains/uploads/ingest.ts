import { withWorkFolder } from '../../platform/work-folder.ts'
import { emitEvent } from '../events/emit.ts'
import {
  IngestAttemptSuperseded,
  type IngestAttempt,
  type IngestDependencies,
  lockCurrentIngestAttempt,
} from './attempt.ts'
import { transitionUpload } from './upload-transitions.ts'
import { type UploadRow, lockUpload, updateUpload } from './store.ts'
import { type UploadFileRow, listUploadFiles } from './store.files.ts'
import { processUploadedFile } from './process-file.ts'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../engine/problem.ts'
import { detectUploadFileKind } from './file-kind.ts'
import { ingestArchive } from './ingest-archive.ts'
import { ingestSingleFile } from './ingest-single-file.ts'
import { writeStreamToFile } from './write-stream.ts'

/** Downloads a file and ingests it by its kind. Throws the reason of its rejection, or an internal error. */
async function ingestFile(attempt: IngestAttempt, file: UploadFileRow): Promise<void> {
  const path = join(attempt.folder, file.id)
  try {
    const stream = await attempt.blobs.stream(file.object_path)
    const { size, sha256 } = await writeStreamToFile(stream, path, attempt.signal)
    // A URL stays valid for a while after its file was verified.
    if (size !== file.size_bytes || sha256 !== file.sha256)
      throw new Problem('validation', 'The file was changed after it had been verified. Start another upload for it.')
    const local = { file, path, size_bytes: size }
    const kind = await detectUploadFileKind(path)
    if (kind === 'archive') await ingestArchive(attempt, local)
    else await ingestSingleFile(attempt, local, kind)
  } finally {
    await rm(path, { force: true })
  }
}

/**
 * Ingests the verified files of a session one after the other, each in its own transaction, so that a crash loses only the
 * current file. Valid files become items, others are refused with a reason; the session completes if at least one was
 * ingested. Internal errors are thrown, so that the task is retried.
 */
export async function ingestUpload(ingest: IngestDependencies, upload_id: string): Promise<void> {
  const session = await startAttempt(ingest, upload_id)
  if (!session) return
  await withWorkFolder((folder) => ingestFiles({ ...ingest, session, folder }))
}

async function ingestFiles(attempt: IngestAttempt): Promise<void> {
  const { db, session } = attempt
  try {
    for (const file of await listUploadFiles(db, session.organization_id, session.id))
      if (file.parent_id === null && file.status === 'verified')
        await processUploadedFile(attempt, file, () => ingestFile(attempt, file))
    await finishAttempt(attempt)
  } catch (error) {
    if (!(error instanceof IngestAttemptSuperseded)) throw error
  }
}

const startAttempt = ({ db, actor }: IngestDependencies, upload_id: string): Promise<UploadRow | null> =>
  db.transaction(async (tx) => {
    const lockedUpload = await lockUpload(tx, actor.organization, upload_id)
    if (lockedUpload?.status !== 'ingesting') return null
    const row = { ...lockedUpload, attempt: lockedUpload.attempt + 1, updated_at: actor.clock.now() }
    await updateUpload(tx, row)
    return row
  })

/** Ends the session according to the status of its files. */
async function finishAttempt(attempt: IngestAttempt): Promise<void> {
  const { db, actor } = attempt
  await db.transaction(async (tx) => {
    const row = await lockCurrentIngestAttempt(tx, attempt)
    const files = await listUploadFiles(tx, actor.organization, row.id)
    const refusedFiles = files.filter((file) => file.status === 'refused')
    const item_ids = [...new Set(files.flatMap((file) => file.item_ids))].sort()
    if (item_ids.length === 0) {
      await transitionUpload(tx, actor, {
        row,
        name: 'fail',
        change: {
          error_message: describeFailure(refusedFiles),
          error_step: 'ingest',
        },
      })
      return
    }
    const summary = `${refusedFiles.length} of ${files.length} files were refused; see \`files\` for the reasons.`
    const change = refusedFiles.length === 0 ? {} : { error_message: summary, error_step: 'ingest' }
    await transitionUpload(tx, actor, { row, name: 'complete', change })
    await emitEvent(tx, actor, {
      kind: 'upload.completed',
      entity_type: 'upload',
      entity_id: row.id,
      data: { project_id: row.project_id, item_ids, refused_count: refusedFiles.length },
    })
  })
}

const describeFailure = (refusedFiles: readonly UploadFileRow[]): string =>
  `${refusedFiles.length > 1 ? `${refusedFiles.length} files were refused; the first reason is: ` : ''}${refusedFiles[0]?.reason ?? 'No file was received.'}`
