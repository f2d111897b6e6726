import type { SqlStatementRunner } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { noonOfDay } from './attempt-days.ts'

/** The name of the partition of events of a day, relative to today. */
export const eventPartitionOfDay = (days: number): string =>
  `events_${noonOfDay(days).toISOString().slice(0, 10).replaceAll('-', '')}`

export interface InsertedEvent {
  readonly id: string
  readonly kind?: string
  readonly entity_type?: string
  readonly entity_id?: string
  readonly project_id?: string
  readonly actor_id?: string
  readonly created_at?: Date
}

/** Inserts an event as the program does; columns that are not passed are equal for all events. */
export const insertEventRow = (
  db: SqlStatementRunner,
  organization: string,
  {
    id,
    kind = 'order.created',
    entity_type = 'order',
    entity_id = id,
    project_id,
    actor_id = 'x',
    created_at,
  }: InsertedEvent,
) =>
  db.query(sql`
    insert into events
      (organization_id, id, kind, entity_type, entity_id, project_id, data, actor_kind, actor_id, operation, request_id, created_at)
    values (${organization}, ${id}, ${kind}, ${entity_type}, ${entity_id}, ${project_id ?? null}, '{}', 'user', ${actor_id}, 'x', 'x',
      ${created_at ?? new Date()})`)

/** A script that drops all days of a log, as a program finds it that was stopped until those created ahead were over. */
export const dropDays = (log: 'events' | 'event_delivery_attempts'): string => `
  do $$
  declare
    name text;
  begin
    for name in
      select inhrelid::regclass::text from pg_inherits
      where inhparent = '${log}'::regclass and inhrelid <> '${log}_default'::regclass
    loop
      execute 'drop table ' || name;
    end loop;
  end
  $$`

/** The partition of each event of an organization by its id. */
export async function listEventPartitions(
  db: SqlStatementRunner,
  organization: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; partition: string }>(
    sql`select id, tableoid::regclass::text as partition from events where organization_id = ${organization} order by id`,
  )
  return new Map(rows.map(({ id, partition }) => [id, partition]))
}

/**
 * A script that makes the partition which the migration attached, of everything until today, end before yesterday, as if it had run
 * then; later rows are lost.
 */
export const endAttachedPartition = (log: 'events' | 'event_delivery_attempts', partition: string): string => `
  alter table ${log} detach partition ${partition};
  delete from ${partition} where id >= swath_first_id((now() at time zone 'UTC')::date - 1);
  do $$
  begin
    execute format('alter table ${log} attach partition ${partition} for values from (minvalue) to (%L)',
      swath_first_id((now() at time zone 'UTC')::date - 1));
  end
  $$`
