import { createTaskActor, defineSweep, type DueWork } from '../../../engine/task.ts'
import {
  dueItemRetentionRows,
  retention_sweep_kinds,
  sweepRetention,
  type RetentionSweepDependencies,
} from './sweep-retention.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'

/** Marks items that expire soon, expires due items, and purges items that were deleted 30 days ago. */
export const dueRetentionWork: DueWork = {
  name: 'retention',
  dueRows: dueItemRetentionRows,
  runDue: async (context, times) => {
    const sweep: RetentionSweepDependencies = {
      across: context.database.unscoped,
      actorIn: (organization) => createTaskActor(context, organization),
      times,
      signal: context.signal,
      onError: (error, organization_id) => context.log.error({ error, organization_id }, 'items could not be swept'),
    }
    for (const kind of retention_sweep_kinds) await sweepRetention(sweep, kind)
  },
}

export const sweepRetentionTask = defineSweep(
  backgroundTaskTypes.sweepRetention,
  { limit: 2, delay_s: 60, backoff: false, expire_s: 1800 },
  dueRetentionWork,
)
