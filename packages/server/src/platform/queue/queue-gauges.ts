import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { GaugeSource } from '../metrics.ts'
import { deadLetterQueue } from './dead-letters.ts'

interface QueueDepthRow {
  readonly task: string
  readonly state: 'scheduled' | 'waiting' | 'running'
  readonly count: number
  /** Since when the oldest one could have begun, in seconds; null unless `waiting`. */
  readonly oldest_s: number | null
}

/** Tasks that have not ended. `waiting` ones are due, `scheduled` ones are due later or blocked. */
const readQueueDepth = (database: Database): Promise<QueueDepthRow[]> =>
  database.unscoped.query<QueueDepthRow>(sql`
    select name as task, state, count(*)::int as count,
           (case when state = 'waiting' then extract(epoch from now() - min(start_after)) end)::float8 as oldest_s
    from (select name, start_after,
                 case when state = 'active' then 'running' when start_after <= now() and not blocked then 'waiting'
                   else 'scheduled' end as state
          from boss.job where state < 'completed' and name <> ${deadLetterQueue}) as task
    group by name, state`)

const countDeadTasks = (database: Database): Promise<{ task: string; count: number }[]> =>
  database.unscoped.query(sql`
    select source_name as task, count(*)::int as count from boss.job
    where name = ${deadLetterQueue} and source_name is not null
    group by source_name`)

/** Gauges of the number of tasks in the queue of all processes. */
export const createQueueGauges = (database: Database): GaugeSource => ({
  gauges: {
    swath_queue_tasks: 'Background tasks that have not ended by task and state: scheduled, waiting or running.',
    swath_queue_oldest_seconds: 'Time since which the oldest waiting task of a kind is due.',
    swath_queue_dead_tasks: 'Background tasks that failed too often.',
  },
  labels: ['task', 'state'],
  read: async () => {
    const [depth, dead] = await Promise.all([readQueueDepth(database), countDeadTasks(database)])
    return {
      swath_queue_tasks: depth.map(({ task, state, count }) => ({ labels: { task, state }, value: count })),
      swath_queue_oldest_seconds: depth.flatMap(({ task, oldest_s }) =>
        oldest_s === null ? [] : [{ labels: { task }, value: Math.max(0, oldest_s) }],
      ),
      swath_queue_dead_tasks: dead.map(({ task, count }) => ({ labels: { task }, value: count })),
    }
  },
})
