import type { PgBoss } from 'pg-boss'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { DeadTask } from './queue.ts'

/** The queue where tasks go that failed too often. */
export const deadQueue = 'dead-letters'

interface Row {
  readonly id: string
  readonly task: string
  readonly data: unknown
  readonly output: { readonly message?: unknown } | null
  readonly failed_at: Date
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const toDead = ({ id, task, data, output, failed_at }: Row): DeadTask => ({
  id,
  task,
  data,
  error: typeof output?.message === 'string' ? output.message : JSON.stringify(output ?? 'unknown'),
  failed_at,
})

/** The newest dead tasks first. */
export async function listDead(database: Database, limit: number): Promise<DeadTask[]> {
  const rows = await database.across.query<Row>(sql`
    select id, source_name as task, data, coalesce(source_output, output) as output, created_on as failed_at
    from boss.job
    where name = ${deadQueue} and source_name is not null
    order by created_on desc, id
    limit ${limit}`)
  return rows.map(toDead)
}

/** The kind of a dead task; null where there is no such task. */
export async function findDeadKind(database: Database, id: string): Promise<string | null> {
  if (!uuid.test(id)) return null
  const [row] = await database.across.query<{ task: string }>(sql`
    select source_name as task from boss.job where name = ${deadQueue} and id = ${id} and source_name is not null`)
  return row?.task ?? null
}

/** Moves a dead task back where it came from. False where its key is taken there; it then stays dead. */
export async function reviveDead(boss: PgBoss, database: Database, id: string): Promise<boolean> {
  // One that could not be moved before is parked as failed, which the library passes over.
  await database.across.query(sql`
    update boss.job set state = 'created', completed_on = null where name = ${deadQueue} and id = ${id} and state = 'failed'`)
  return (await boss.redrive(deadQueue, { ids: [id] })) > 0
}
