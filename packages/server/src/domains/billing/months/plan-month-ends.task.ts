import Type from 'typebox'
import { task } from '../../../engine/task.ts'
import { listOrganizations } from '../../organizations/named.ts'
import { firstMonthEnd } from './month-end.ts'
import { listSubjects, putDeadline } from '../store.deadlines.ts'

/** Sets the month-end deadline of organizations that have none yet. */
export const planMonthEnds = task(
  'billing.plan-month-ends',
  Type.Object({}),
  { limit: 2, delay_s: 600, backoff: true, expire_s: 3600 },
  async (job) => {
    const { across } = job.database
    const planned = new Set(await listSubjects(across, 'month-end'))
    for (const { id, status, created_at } of await listOrganizations(across)) {
      job.signal.throwIfAborted()
      if (status === 'deleted' || planned.has(id)) continue
      const due_at = firstMonthEnd(job.clock.of(id).now(), created_at)
      await job.database.of(id).transaction((tx) => putDeadline(tx, id, 'month-end', id, due_at))
    }
  },
)
