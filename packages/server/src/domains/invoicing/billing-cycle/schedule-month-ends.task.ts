import { defineTask } from '../../../engine/task.ts'
import { listOrganizations } from '../../organizations/store.ts'
import { computeFirstMonthEnd } from './month-end.ts'
import { listBillingDeadlineSubjects, upsertBillingDeadline } from '../../ledger/store.deadlines.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'

/** Sets the month-end deadline of organizations that have none yet. */
export const scheduleMonthEndsTask = defineTask(
  backgroundTaskTypes.scheduleMonthEnds,
  { limit: 2, delay_s: 600, backoff: true, expire_s: 3600 },
  async (job) => {
    const { unscoped } = job.database
    const scheduled = new Set(await listBillingDeadlineSubjects(unscoped, 'month-end'))
    for (const { id, status, created_at } of await listOrganizations(unscoped)) {
      job.signal.throwIfAborted()
      if (status === 'deleted' || scheduled.has(id)) continue
      const due_at = computeFirstMonthEnd(job.clock.forOrganization(id).now(), created_at)
      await job.database
        .forOrganization(id)
        .transaction((tx) => upsertBillingDeadline(tx, { organization: id, kind: 'month-end', subject: id, due_at }))
    }
  },
)
