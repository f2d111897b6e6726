import Type from 'typebox'
import { Uuid } from '@swath/contract/shapes/primitives.ts'
import { actorOf, task } from '../../engine/task.ts'
import { ingestUpload } from './ingest.ts'
import { ingestUploadTask } from './ingest-terms.ts'

const hours_s = 3600

/** Ingests the files of a session that were not ingested during the request. */
export const ingestUploads = task(
  ingestUploadTask,
  Type.Object({ organization_id: Uuid, upload_id: Uuid }),
  { limit: 4, delay_s: 10, backoff: true, expire_s: 6 * hours_s },
  async (job, { organization_id, upload_id }) => {
    const { blobs, signal, last } = job
    const tell = (error: unknown, file: string): void =>
      job.log.warn({ upload: upload_id, file, error }, 'a file could not be ingested')
    const actor = actorOf(job, organization_id)
    await ingestUpload({ db: job.database.of(organization_id), blobs, actor, signal, last, tell }, upload_id)
  },
)
