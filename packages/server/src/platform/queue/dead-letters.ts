import type { PgBoss } from 'pg-boss'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { DeadTask } from './queue.ts'

/** The dead-letter queue, for tasks that failed too often. */
export const deadLetterQueue = 'dead-letters'

interface DeadTaskRow {
  readonly id: string
  readonly task: string
  readonly data: unknown
  readonly output: { readonly message?: unknown } | null
  readonly failed_at: Date
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const toDeadTask = ({ id, task, data, output, failed_at }: DeadTaskRow): DeadTask => ({
  id,
  task,
  data,
  error: typeof output?.message === 'string' ? output.message : JSON.stringify(output ?? 'unknown'),
  failed_at,
})

/** The dead tasks, newest first. */
export async function listDeadTasks(database: Database, limit: number): Promise<DeadTask[]> {
  const rows = await database.unscoped.query<DeadTaskRow>(sql`
    select id, source_name as task, data, coalesce(source_output, output) as output, created_on as failed_at
    from boss.job
    where name = ${deadLetterQueue} and source_name is not null
    order by created_on desc, id
    limit ${limit}`)
  return rows.map(toDeadTask)
}

/** The name of a dead task's definition; null if there is no such task. */
export async function findDeadTaskName(database: Database, id: string): Promise<string | null> {
  if (!uuid.test(id)) return null
  const [row] = await database.unscoped.query<{ task: string }>(sql`
    select source_name as task from boss.job where name = ${deadLetterQueue} and id = ${id} and source_name is not null`)
  return row?.task ?? null
}

/**
 * Moves a dead task back to its original queue. False if its singleton key is in use there; it then stays in the
 * dead-letter queue.
 */
export async function retryDeadTask(boss: PgBoss, database: Database, id: string): Promise<boolean> {
  // A task that could not be moved before is marked as failed, which pg-boss skips.
  await database.unscoped.query(sql`
    update boss.job set state = 'created', completed_on = null where name = ${deadLetterQueue} and id = ${id} and state = 'failed'`)
  return (await boss.redrive(deadLetterQueue, { ids: [id] })) > 0
}
