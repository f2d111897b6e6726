import Type from 'typebox'
import { actorOf, task } from '../../engine/task.ts'
import { sweepRetention, type Sweeper } from './sweep-retention.ts'

/** Marks items that expire soon, expires due items, and purges items that were deleted 30 days ago. */
export const sweepRetentionTask = task(
  'items.sweep-retention',
  Type.Object({}),
  { limit: 2, delay_s: 60, backoff: false, expire_s: 1800 },
  async (job) => {
    const sweeper: Sweeper = {
      across: job.database.across,
      actorIn: (organization) => actorOf(job, organization),
      times: job.clock.times(),
      signal: job.signal,
      failed: (error, organization_id) => job.log.error({ error, organization_id }, 'items could not be swept'),
    }
    // Expire first: items that are already due need no notice.
    for (const kind of ['expired', 'expiring', 'purged'] as const) await sweepRetention(sweeper, kind)
  },
)
