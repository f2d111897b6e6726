import { createTaskActor, defineTask } from '../../engine/task.ts'
import { reconcileStorageOfAllOrganizations } from '../usage/reconciliation/reconciliation.ts'
import { listStoredFiles } from '../reports/stored-files.ts'
import { listEveryOrganizationId } from '../organizations/all-organizations.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

/** The default of the operation. */
const threshold_bytes = 1_048_576

/**
 * Compares the recorded storage of every organization with the object store. It is in this module because it needs both
 * the storage journal and items.
 */
export const reconcileStorageTask = defineTask(
  backgroundTaskTypes.reconcileStorage,
  { limit: 2, delay_s: 600, backoff: true, expire_s: 4 * 3600 },
  async (context) => {
    const { blobs, signal } = context
    const dependencies = { db: context.database.unscoped, blobs, signal, listFiles: listStoredFiles }
    const runs = await reconcileStorageOfAllOrganizations(
      dependencies,
      listEveryOrganizationId,
      (organization) => createTaskActor(context, organization),
      threshold_bytes,
    )
    const flagged = runs.filter((run) => run.flagged)
    for (const { organization_id, drift_bytes } of flagged) {
      context.log.warn(
        { organization: organization_id, drift_bytes },
        'the storage journal differs from the object store',
      )
    }
  },
)
