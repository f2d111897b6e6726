import { day_ms } from '@swath/geo/time-units.ts'
import type { SqlStatementRunner } from '../../src/platform/database/database.ts'
import { newId } from '../../src/platform/ids.ts'
import { sql } from '../../src/platform/database/sql.ts'

/** Noon so many days after today, in UTC. */
export const noonOfDay = (days: number): Date => new Date((Math.floor(Date.now() / day_ms) + days + 0.5) * day_ms)

/** An id as it is made at noon so many days after today, in UTC. */
export function idOfDay(days: number): string {
  const time = noonOfDay(days).getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`
}

/** The name of the partition of a day, relative to today. */
export const partitionOfDay = (days: number): string =>
  `event_delivery_attempts_${noonOfDay(days).toISOString().slice(0, 10).replaceAll('-', '')}`

/** Inserts an attempt at any delivery, as the program does. */
export const insertAttempt = (db: SqlStatementRunner, organization: string, id: string, delivery_id = newId()) =>
  db.query(sql`
    insert into event_delivery_attempts
      (organization_id, id, delivery_id, endpoint_url, is_delivered, response_headers, started_at, duration_ms)
    values (${organization}, ${id}, ${delivery_id}, 'https://example.org', false, '{}', now(), 1)
    on conflict (organization_id, id) do nothing`)

/** The partition of each attempt by its id. */
export async function listPartitions(db: SqlStatementRunner): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; partition: string }>(
    sql`select id, tableoid::regclass::text as partition from event_delivery_attempts`,
  )
  return new Map(rows.map(({ id, partition }) => [id, partition]))
}
