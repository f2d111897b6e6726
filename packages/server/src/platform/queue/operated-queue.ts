import type { PgBoss } from 'pg-boss'
import type { Database } from '../database/database.ts'
import { deadLetterQueue, findDeadTaskName, listDeadTasks, retryDeadTask } from './dead-letters.ts'
import type { QueueAdministration, StuckTask, StuckTaskFilter } from './queue.ts'
import { type Sql, sql } from '../database/sql.ts'

/** The end of the lease of a running task: at its timeout, or without a heartbeat. The queue then runs it again. */
const lease_end: Sql = sql`least(
  started_on + expire_seconds * interval '1 second', heartbeat_on + heartbeat_seconds * interval '1 second')`

/** Stuck tasks, oldest first, by the clock of the database as everything of the queue. */
async function listStuckTasks(database: Database, filter: StuckTaskFilter): Promise<StuckTask[]> {
  const age = sql`${filter.min_age_ms / 1000} * interval '1 second'`
  return database.unscoped.query<StuckTask>(sql`
    select id, task, data, reason, error, since from (
      select id, name as task, data, output ->> 'message' as error,
        case when state = 'active' then 'lease-ended' when retry_count >= ${filter.min_failures} then 'failed-repeatedly'
          else 'waiting' end as reason,
        case when state = 'active' then ${lease_end} when retry_count >= ${filter.min_failures} then created_on
          else start_after end as since,
        state = 'active' or retry_count < ${filter.min_failures} as needs_age
      from boss.job
      where state < 'completed' and name <> ${deadLetterQueue} and not blocked
        and (${filter.id}::uuid is null or id = ${filter.id})
        and (${filter.organization}::text is null or data ->> 'organization_id' = ${filter.organization})) as task
    where not needs_age or since <= now() - ${age}
    order by since, id
    limit ${filter.limit}`)
}

/**
 * Runs a stuck task at once: one whose worker has ended waits again, without counting the attempt. Returns the name of
 * its definition, or null if it has ended or its worker is alive.
 */
async function requeueStuckTask(database: Database, id: string): Promise<string | null> {
  const [row] = await database.unscoped.query<{ task: string }>(sql`
    update boss.job
    set state = case when state = 'active' then 'created' else state end, start_after = now(), started_on = null,
        heartbeat_on = null
    where id = ${id} and name <> ${deadLetterQueue} and state < 'completed'
      and (state < 'active' or ${lease_end} <= now())
    returning name as task`)
  return row?.task ?? null
}

/** Cancels a task that waits or runs; false if it has ended. */
async function cancelTask(boss: PgBoss, database: Database, id: string): Promise<boolean> {
  const [row] = await database.unscoped.query<{ task: string }>(sql`
    select name as task from boss.job where id = ${id} and name <> ${deadLetterQueue} and state < 'completed'`)
  if (!row) return false
  await boss.cancel(row.task, id)
  return true
}

/** Deletes a dead task; false if there is none. */
async function discardDeadTask(boss: PgBoss, database: Database, id: string): Promise<boolean> {
  const [row] = await database.unscoped.query(sql`
    select id from boss.job where name = ${deadLetterQueue} and id = ${id} and source_name is not null`)
  if (!row) return false
  await boss.deleteJob(deadLetterQueue, id)
  return true
}

const default_dead_task_limit = 200

/** The queue as operators use it; `notify` wakes the workers of a kind of task. */
export const createQueueAdministration = (
  boss: PgBoss,
  database: Database,
  notify: (task: string) => void,
): QueueAdministration => ({
  dead: (limit = default_dead_task_limit) => listDeadTasks(database, limit),
  retry: async (id) => {
    const task = await findDeadTaskName(database, id)
    const isRequeued = task !== null && (await retryDeadTask(boss, database, id))
    if (isRequeued) notify(task)
    return isRequeued
  },
  discard: (id) => discardDeadTask(boss, database, id),
  stuck: (filter) => listStuckTasks(database, filter),
  requeue: async (id) => {
    const task = await requeueStuckTask(database, id)
    if (task !== null) notify(task)
    return task !== null
  },
  cancel: (id) => cancelTask(boss, database, id),
})
