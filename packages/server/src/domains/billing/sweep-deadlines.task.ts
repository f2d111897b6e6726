import Type from 'typebox'
import { actorOf, task } from '../../engine/task.ts'
import { meetDeadline } from './deadlines.ts'
import { listDueDeadlines } from './store.deadlines.ts'

const batch = 500

/** Runs every due billing deadline in its own transaction; one that fails is retried by the next sweep. */
export const sweepDeadlines = task(
  'billing.sweep-deadlines',
  Type.Object({}),
  { limit: 2, delay_s: 10, backoff: false, expire_s: 600 },
  async (job) => {
    for (const row of await listDueDeadlines(job.database.across, job.clock.times(), batch)) {
      job.signal.throwIfAborted()
      const now = job.clock.of(row.organization_id).now()
      const actor = actorOf(job, row.organization_id)
      try {
        await job.database.of(row.organization_id).transaction((tx) => meetDeadline(tx, actor, row, now))
      } catch (error) {
        job.log.error({ error, ...row }, 'a billing deadline failed')
      }
    }
  },
)
