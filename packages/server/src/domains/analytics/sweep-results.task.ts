import { backgroundTaskTypes } from '../../engine/task-types.ts'
import { defineSweep, createTaskActor, type DueWork } from '../../engine/task.ts'
import { listOrganizationIdsForTimes } from '../organizations/all-organizations.ts'
import { markEntityDeleted } from '../provenance/record-provenance.ts'
import { deleteAnalyticsResult, dueAnalyticsResultRows, listExpiredAnalyticsResults } from './store.ts'

const batch_size = 100

/** Deletes the files of results that have expired; their lineage stays and says so. */
export const dueAnalyticsResultsWork: DueWork = {
  name: 'analytics-results',
  dueRows: (organization) => [dueAnalyticsResultRows(organization)],
  runDue: async (context, times) => {
    const { database, blobs, signal } = context
    for (const organization of await listOrganizationIdsForTimes(database.unscoped, times)) {
      const db = database.forOrganization(organization)
      const actor = createTaskActor(context, organization)
      for (;;) {
        signal.throwIfAborted()
        const expired = await listExpiredAnalyticsResults(db, organization, actor.clock.now(), batch_size)
        for (const { id, blob_path } of expired) {
          // The file first: a row without a file is found again, a file without a row never.
          await blobs.delete(blob_path)
          await db.transaction(async (tx) => {
            await deleteAnalyticsResult(tx, organization, id)
            await markEntityDeleted(tx, actor, { type: 'analytics_result', id })
          })
        }
        if (expired.length < batch_size) break
      }
    }
  },
}

export const sweepAnalyticsResultsTask = defineSweep(
  backgroundTaskTypes.sweepAnalyticsResults,
  { limit: 2, delay_s: 60, backoff: false, expire_s: 1800 },
  dueAnalyticsResultsWork,
)
