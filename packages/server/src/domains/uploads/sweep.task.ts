import Type from 'typebox'
import { actorOf, task, type Job } from '../../engine/task.ts'
import { cleanUpload } from './clean.ts'
import { ingestUploadTask } from './ingest-terms.ts'
import { lockUploadIfDue } from './due.ts'
import { moveUpload } from './moves.ts'
import { endAddresses } from './store.addresses.ts'
import { listDueUploads, type DueCause, type DueUpload } from './store.ts'

/** Ingestion without activity for this long has lost its task. */
const stalled_ms = 7 * 3_600_000
/** A PUT that began before its URL expired has ended after this long. */
const straggling_ms = 24 * 3_600_000
const batch = 500

/** Expires inactive sessions, restarts stalled ingestion, and removes the objects of ended sessions. */
export const sweepUploads = task(
  'uploads.sweep',
  Type.Object({}),
  { limit: 2, delay_s: 10, backoff: false, expire_s: 600 },
  async (job) => {
    for (const due of await listDueUploads(job.database.across, job.clock.times(), stalled_ms, batch)) {
      job.signal.throwIfAborted()
      try {
        await answers[due.cause](job, due)
      } catch (error) {
        job.log.error({ error, ...due }, 'an upload could not be swept')
      }
    }
  },
)

const answers: Readonly<Record<DueCause, (job: Job, due: DueUpload) => Promise<void>>> = {
  expired: (job, { organization_id, id }) =>
    job.database.of(organization_id).transaction(async (tx) => {
      const actor = actorOf(job, organization_id)
      const row = await lockUploadIfDue(tx, actor, id)
      if (row) await moveUpload(tx, actor, row, 'expire', { error_message: 'The upload was inactive for 24 hours.' })
    }),
  stalled: (job, { organization_id, id }) =>
    job.database
      .of(organization_id)
      .transaction((tx) =>
        job.queue.enqueue(tx, ingestUploadTask, { organization_id, upload_id: id }, { singleton_key: id }),
      ),
  unclean: async (job, { organization_id, id }) => {
    const db = job.database.of(organization_id)
    if (!(await cleanUpload(db, job.blobs, organization_id, id))) return
    const again = new Date(job.clock.process.now().getTime() + straggling_ms)
    await db.transaction((tx) => endAddresses(tx, organization_id, id, again))
  },
}
