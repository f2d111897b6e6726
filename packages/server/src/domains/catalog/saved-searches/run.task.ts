import { defineTask } from '../../../engine/task.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { runSavedSearch } from './run-search.ts'

/** Looks for new scenes of one saved search. */
export const runSavedSearchTask = defineTask(
  backgroundTaskTypes.runSavedSearch,
  { limit: 2, delay_s: 60, backoff: true, expire_s: 600 },
  (context, { organization_id, search_id }) => runSavedSearch(context, organization_id, search_id),
)
