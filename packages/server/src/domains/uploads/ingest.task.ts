import { createTaskActor, defineTask } from '../../engine/task.ts'
import { ingestUpload } from './ingest.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

const hours_s = 3600

/** Ingests the files of a session that were not ingested during the request. */
export const ingestUploadsTask = defineTask(
  backgroundTaskTypes.ingestUpload,
  { limit: 4, delay_s: 10, backoff: true, expire_s: 6 * hours_s },
  async (context, { organization_id, upload_id }) => {
    const { blobs, processServices, signal, isLastAttempt } = context
    const reportError = (error: unknown, file: string): void =>
      context.log.warn({ upload: upload_id, file, error }, 'a file could not be ingested')
    const actor = createTaskActor(context, organization_id)
    await ingestUpload(
      {
        db: context.database.forOrganization(organization_id),
        blobs,
        processServices,
        actor,
        signal,
        isLastAttempt,
        reportError,
      },
      upload_id,
    )
  },
)
