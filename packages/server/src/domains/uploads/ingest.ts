import { withWorkFolder } from '../../platform/work-folder.ts'
import { emit } from '../events/emit.ts'
import { holdAttempt, Superseded, type Attempt, type Ingest } from './attempt.ts'
import { ingestFile } from './ingest-file.ts'
import { moveUpload } from './moves.ts'
import { lockUpload, saveUpload, type UploadRow } from './store.ts'
import { listFiles, type FileRow } from './store.files.ts'
import { tryFile } from './try-file.ts'

/**
 * Ingests the verified files of a session one after the other, each in its own transaction, so that a crash loses only the
 * current file. Valid files become items, others are refused with a reason; the session completes if at least one was
 * ingested. Internal errors are thrown, so that the task is retried.
 */
export async function ingestUpload(ingest: Ingest, upload_id: string): Promise<void> {
  const session = await begin(ingest, upload_id)
  if (!session) return
  await withWorkFolder((folder) => ingestFiles({ ...ingest, session, folder }))
}

async function ingestFiles(attempt: Attempt): Promise<void> {
  const { db, session } = attempt
  try {
    for (const file of await listFiles(db, session.organization_id, session.id))
      if (file.parent_id === null && file.status === 'verified')
        await tryFile(attempt, file, () => ingestFile(attempt, file))
    await finish(attempt)
  } catch (error) {
    if (!(error instanceof Superseded)) throw error
  }
}

const begin = ({ db, actor }: Ingest, upload_id: string): Promise<UploadRow | null> =>
  db.transaction(async (tx) => {
    const held = await lockUpload(tx, actor.organization, upload_id)
    if (held?.status !== 'ingesting') return null
    const row = { ...held, attempt: held.attempt + 1, updated_at: actor.clock.now() }
    await saveUpload(tx, row)
    return row
  })

/** Ends the session according to the status of its files. */
async function finish(attempt: Attempt): Promise<void> {
  const { db, actor } = attempt
  await db.transaction(async (tx) => {
    const row = await holdAttempt(tx, attempt)
    const files = await listFiles(tx, actor.organization, row.id)
    const refused = files.filter((file) => file.status === 'refused')
    const item_ids = [...new Set(files.flatMap((file) => file.item_ids))].sort()
    if (item_ids.length === 0) {
      await moveUpload(tx, actor, row, 'fail', { error_message: whyNone(refused), error_step: 'ingest' })
      return
    }
    const some = `${refused.length} of ${files.length} files were refused; see \`files\` for the reasons.`
    const change = refused.length === 0 ? {} : { error_message: some, error_step: 'ingest' }
    await moveUpload(tx, actor, row, 'complete', change)
    await emit(tx, actor, {
      kind: 'upload.completed',
      entity_type: 'upload',
      entity_id: row.id,
      data: { project_id: row.project_id, item_ids, refused_count: refused.length },
    })
  })
}

const whyNone = (refused: readonly FileRow[]): string =>
  `${refused.length > 1 ? `${refused.length} files were refused; the first reason is: ` : ''}${refused[0]?.reason ?? 'No file was received.'}`
