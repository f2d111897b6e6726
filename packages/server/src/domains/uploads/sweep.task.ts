import { createTaskActor, defineSweep, type DueWork, type TaskContext } from '../../engine/task.ts'
import { removeExpiredUploadObjects } from './clean.ts'
import { lockUploadIfDue } from './lock-due-upload.ts'
import { transitionUpload } from './upload-transitions.ts'
import { dueUploadRows, listDueUploads, type DueUploadCause, type DueUploadRow } from './store.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

/** Ingestion without activity for this long has lost its task. */
const stalled_ms = 7 * 3_600_000
const batch_size = 500

/** Expires inactive sessions, restarts stalled ingestion, and removes the objects of ended sessions. */
export const dueUploadsWork: DueWork = {
  name: 'uploads',
  dueRows: (organization) => dueUploadRows(organization, stalled_ms),
  runDue: async (context, times) => {
    for (const due of await listDueUploads(context.database.unscoped, times, stalled_ms, batch_size)) {
      context.signal.throwIfAborted()
      try {
        await actionByCause[due.cause](context, due)
      } catch (error) {
        context.log.error({ error, ...due }, 'an upload could not be swept')
      }
    }
  },
}

export const sweepUploadsTask = defineSweep(
  backgroundTaskTypes.sweepUploads,
  { limit: 2, delay_s: 10, backoff: false, expire_s: 600 },
  dueUploadsWork,
)

const actionByCause: Readonly<Record<DueUploadCause, (context: TaskContext, due: DueUploadRow) => Promise<void>>> = {
  expired: (context, { organization_id, id }) =>
    context.database.forOrganization(organization_id).transaction(async (tx) => {
      const actor = createTaskActor(context, organization_id)
      const row = await lockUploadIfDue(tx, actor, id)
      if (row)
        await transitionUpload(tx, actor, {
          row,
          name: 'expire',
          change: { error_message: 'The upload was inactive for 24 hours.' },
        })
    }),
  stalled: (context, { organization_id, id }) =>
    context.database
      .forOrganization(organization_id)
      .transaction((tx) =>
        context.queue.enqueue(
          tx,
          backgroundTaskTypes.ingestUpload,
          { organization_id, upload_id: id },
          { singleton_key: id },
        ),
      ),
  unclean: async ({ database, blobs, clock }, { organization_id, id }) => {
    const db = database.forOrganization(organization_id)
    await removeExpiredUploadObjects({ db, organization: organization_id, blobs, clock: clock.process }, id)
  },
}
