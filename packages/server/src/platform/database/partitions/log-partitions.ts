import type { SqlStatementRunner } from '../database.ts'
import { sql } from '../sql.ts'

/**
 * The logs with a partition for each UTC day, by a UUID of version 7; the database refuses other tables. On Citus they are
 * one table each, whose days are deleted.
 */
export const logsPartitionedByDay = ['event_delivery_attempts', 'event_delivery_log', 'events'] as const
export type LogPartitionedByDay = (typeof logsPartitionedByDay)[number]

/** A day that has no partition yet has its rows in the default partition until the next call. */
const days_ahead = 3

/** Creates the partitions of a log for today and the next days; returns how many. */
export async function createLogPartitions(unscoped: SqlStatementRunner, log: LogPartitionedByDay): Promise<number> {
  const [row] = await unscoped.query<{ created: number }>(
    sql`select swath_create_days(${log}, ${days_ahead}::integer) as created`,
  )
  return row!.created
}

/**
 * Drops the partitions of days that ended more than so many days ago, or deletes the rows of their hours, each of these in a
 * transaction of its own; returns how many.
 */
export async function dropLogPartitions(
  unscoped: SqlStatementRunner,
  log: LogPartitionedByDay,
  kept_days: number,
): Promise<number> {
  for (let dropped = 0; ;) {
    const [row] = await unscoped.query<{ dropped: number }>(
      sql`select swath_drop_days(${log}, ${kept_days}::integer) as dropped`,
    )
    if (row!.dropped === 0) return dropped
    dropped += row!.dropped
  }
}
