import { createTaskActor, defineSweep, type DueWork } from '../../engine/task.ts'
import { handleDueBillingDeadline } from './deadlines.ts'
import { dueBillingDeadlineRows, listDueBillingDeadlines } from '../ledger/store.deadlines.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

const max_batch_deadlines = 500

/** Runs every due billing deadline in its own transaction; one that fails is retried by the next sweep. */
export const dueBillingDeadlinesWork: DueWork = {
  name: 'billing deadlines',
  dueRows: (organization) => [dueBillingDeadlineRows(organization)],
  runDue: async (context, times) => {
    for (const row of await listDueBillingDeadlines(context.database.unscoped, times, max_batch_deadlines)) {
      context.signal.throwIfAborted()
      const now = context.clock.forOrganization(row.organization_id).now()
      const actor = createTaskActor(context, row.organization_id)
      try {
        const db = context.database.forOrganization(row.organization_id)
        await db.transaction((tx) => handleDueBillingDeadline(tx, actor, row, now))
      } catch (error) {
        context.log.error({ error, ...row }, 'a billing deadline failed')
      }
    }
  },
}

export const sweepBillingDeadlinesTask = defineSweep(
  backgroundTaskTypes.sweepBillingDeadlines,
  { limit: 2, delay_s: 10, backoff: false, expire_s: 600 },
  dueBillingDeadlinesWork,
)
