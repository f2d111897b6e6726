import { sql, type Sql } from '../sql.ts'

// Items whose time is unknown cover this moment (decision 0121): searches that name a start leave them out, and orders by time have
// them among the oldest. A time of the calendar, not `-infinity`, so that months and their counts work as for any other.

/** The moment that items without a time cover. */
export const unknownTime = sql`'0001-01-01T00:00:00Z'::timestamptz`

/** The month of that moment in stored counts. */
export const unknownMonth = sql`'0001-01-01'::date`

/** A time that items cover, null where it is unknown. */
export const knownTime = (time: Sql): Sql => sql`nullif(${time}, ${unknownTime})`

/** The interval that an item covers, of its own times. */
export const coveredInterval = ({
  datetime,
  start_datetime,
  end_datetime,
}: Readonly<Record<'datetime' | 'start_datetime' | 'end_datetime', Date | null>>): { from: Sql; to: Sql } => ({
  from: sql`coalesce(${start_datetime ?? datetime}::timestamptz, ${unknownTime})`,
  to: sql`coalesce(${end_datetime ?? datetime ?? start_datetime}::timestamptz, ${unknownTime})`,
})
