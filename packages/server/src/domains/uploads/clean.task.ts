import { defineTask } from '../../engine/task.ts'
import { removeUploadObjects } from './clean.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

/** Removes the received objects as soon as a session has ended; the sweep does it once more when all URLs have expired. */
export const cleanUploadsTask = defineTask(
  backgroundTaskTypes.cleanUpload,
  { limit: 5, delay_s: 30, backoff: true, expire_s: 1800 },
  async (context, { organization_id, upload_id }) => {
    await removeUploadObjects(
      context.database.forOrganization(organization_id),
      context.blobs,
      organization_id,
      upload_id,
    )
  },
)
