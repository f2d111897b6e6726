import Type from 'typebox'
import { Uuid } from '@swath/contract/schemas/primitives.ts'
import { defineTask } from '../../engine/task.ts'
import { cleanUpload } from './clean.ts'
import { cleanUploadTaskName } from './upload-transitions.ts'

/** Removes the received objects as soon as a session has ended; the sweep does it once more when all URLs have expired. */
export const cleanUploads = defineTask(
  cleanUploadTaskName,
  Type.Object({ organization_id: Uuid, upload_id: Uuid }),
  { limit: 5, delay_s: 30, backoff: true, expire_s: 1800 },
  async (context, { organization_id, upload_id }) => {
    await cleanUpload(context.database.forOrganization(organization_id), context.blobs, organization_id, upload_id)
  },
)
