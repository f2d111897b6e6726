import Type from 'typebox'
import { Uuid } from '@swath/contract/shapes/primitives.ts'
import { task } from '../../engine/task.ts'
import { cleanUpload } from './clean.ts'
import { cleanUploadTask } from './moves.ts'

/** Removes the received objects as soon as a session has ended; the sweep does it once more when all URLs have expired. */
export const cleanUploads = task(
  cleanUploadTask,
  Type.Object({ organization_id: Uuid, upload_id: Uuid }),
  { limit: 5, delay_s: 30, backoff: true, expire_s: 1800 },
  async (job, { organization_id, upload_id }) => {
    await cleanUpload(job.database.of(organization_id), job.blobs, organization_id, upload_id)
  },
)
