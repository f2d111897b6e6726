import type { Queryable, Tx } from '../../../database/database.ts'
import { sql } from '../../../database/sql.ts'

export interface ProcessorEventRow {
  readonly id: string
  /** The event as it is sent. */
  readonly body: unknown
  readonly attempts: number
  readonly created_at: Date
}

export async function insertEvent(tx: Tx, id: string, body: unknown, now: Date): Promise<void> {
  await tx.query(sql`
    insert into processor_events (id, body, next_at, created_at) values (${id}, ${sql.json(body)}, ${now}, ${now})`)
}

export async function listDueEvents(db: Queryable, now: Date, limit: number): Promise<ProcessorEventRow[]> {
  return db.query<ProcessorEventRow>(sql`
    select id, body, attempts, created_at from processor_events
    where next_at <= ${now} order by next_at, id limit ${limit}`)
}

/** Records one more attempt; null: there will be no further one. */
export async function scheduleEvent(db: Queryable, id: string, next_at: Date | null): Promise<void> {
  await db.query(sql`update processor_events set attempts = attempts + 1, next_at = ${next_at} where id = ${id}`)
}

/** Makes every event due again. */
export async function rescheduleAllEvents(db: Queryable, now: Date): Promise<void> {
  await db.query(sql`update processor_events set next_at = ${now}`)
}

export async function deleteOldEvents(tx: Tx, before: Date): Promise<void> {
  await tx.query(sql`delete from processor_events where created_at <= ${before} and next_at is null`)
}
