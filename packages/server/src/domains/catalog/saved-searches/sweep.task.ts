import { defineSweep, type DueWork } from '../../../engine/task.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { listOrganizationIdsForTimes } from '../../organizations/all-organizations.ts'
import { dueSavedSearchRows, listDueSavedSearches } from './store.saved-searches.ts'

/** Enqueues the run of each due saved search; the singleton key prevents a second one while one waits or runs. */
export const dueSavedSearchesWork: DueWork = {
  name: 'saved searches',
  dueRows: (organization) => [dueSavedSearchRows(organization)],
  runDue: async ({ database, clock, queue, signal }, times) => {
    for (const organization_id of await listOrganizationIdsForTimes(database.unscoped, times)) {
      signal.throwIfAborted()
      const db = database.forOrganization(organization_id)
      const now = clock.forOrganization(organization_id).now()
      for (const id of await listDueSavedSearches(db, organization_id, now)) {
        const data = { organization_id, search_id: id }
        await db.transaction((tx) => queue.enqueue(tx, backgroundTaskTypes.runSavedSearch, data, { singleton_key: id }))
      }
    }
  },
}

export const sweepSavedSearchesTask = defineSweep(
  backgroundTaskTypes.sweepSavedSearches,
  { limit: 2, delay_s: 10, backoff: false, expire_s: 300 },
  dueSavedSearchesWork,
)
