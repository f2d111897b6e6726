import { taskActor, defineTask } from '../../engine/task.ts'
import { runDeadline } from './deadlines.ts'
import { listDueDeadlines } from '../ledger/store.deadlines.ts'
import { taskTypes } from '../../engine/task-types.ts'

const max_batch_deadlines = 500

/** Runs every due billing deadline in its own transaction; one that fails is retried by the next sweep. */
export const sweepBillingDeadlines = defineTask(
  taskTypes.sweepBillingDeadlines,
  { limit: 2, delay_s: 10, backoff: false, expire_s: 600 },
  async (job) => {
    for (const row of await listDueDeadlines(job.database.unscoped, job.clock.times(), max_batch_deadlines)) {
      job.signal.throwIfAborted()
      const now = job.clock.forOrganization(row.organization_id).now()
      const actor = taskActor(job, row.organization_id)
      try {
        await job.database.forOrganization(row.organization_id).transaction((tx) => runDeadline(tx, actor, row, now))
      } catch (error) {
        job.log.error({ error, ...row }, 'a billing deadline failed')
      }
    }
  },
)
