import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { equalsUnlessNullCondition, eventVisibilityCondition, type EventRow, type EventVisibility } from './store.ts'

/** Events numbered per statement. */
const max_numbered = 1000

/**
 * Numbers the committed events from an id on that have no number yet, oldest first, at most 1,000; days before it are not read. The row
 * of the organization is locked, so numbers are assigned by one transaction at a time, and none twice. Returns how many events it
 * numbered.
 */
export async function updateEventNumbers(tx: Tx, organization: string, from: string): Promise<number> {
  await tx.query(sql`
    insert into event_sequences (organization_id, last_sequence) values (${organization}, 0)
    on conflict (organization_id) do nothing`)
  await tx.query(sql`select 1 from event_sequences where organization_id = ${organization} for update`)
  const [row] = await tx.query<{ count: number }>(sql`
    with fresh as (
      select id, row_number() over (order by id) as offset_number from (
        select id from events where organization_id = ${organization} and sequence is null and id >= ${from}
        order by id limit ${max_numbered}) as oldest
    ), numbered as (
      update events e set sequence = s.last_sequence + fresh.offset_number
      from fresh, event_sequences s
      where e.organization_id = ${organization} and e.id = fresh.id and e.id >= ${from} and s.organization_id = ${organization}
      returning e.sequence
    ), counted as (
      update event_sequences set last_sequence = last_sequence + (select count(*) from numbered)
      where organization_id = ${organization}
    )
    select count(*)::int as count from numbered`)
  return row?.count ?? 0
}

/**
 * The oldest event of the organization that has no number yet, of those from an id on; null if all have one. Without an
 * id all days are read, by a cached plan; with one, the few days that follow it are planned.
 */
export async function findUnnumberedEvent(
  db: SqlStatementRunner,
  organization: string,
  from: string | null,
): Promise<string | null> {
  const select = sql`select id from events where organization_id = ${organization} and sequence is null`
  const [row] = await db.query<{ id: string }>(
    from === null
      ? sql.generic(sql`${select} order by id limit 1`)
      : sql`${select} and id >= ${from}::uuid order by id limit 1`,
  )
  return row?.id ?? null
}

/** The id below which no event will need a number any more; null if it is unknown. */
export async function findNumberedEventsEndId(db: SqlStatementRunner, organization: string): Promise<string | null> {
  const [row] = await db.query<{ numbered_until: string | null }>(sql`
    select numbered_until from event_sequences where organization_id = ${organization}`)
  return row?.numbered_until ?? null
}

export async function updateLastNumberedEventId(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<void> {
  await db.query(sql`
    update event_sequences set numbered_until = ${id}
    where organization_id = ${organization} and (numbered_until is null or numbered_until < ${id})`)
}

/** The number of the newest numbered event; 0 if there is none. */
export async function findLastEventNumber(db: SqlStatementRunner, organization: string): Promise<number> {
  const [row] = await db.query<{ last_sequence: number }>(sql`
    select last_sequence from event_sequences where organization_id = ${organization}`)
  return row?.last_sequence ?? 0
}

/** The number of an event; null if it is unknown or has none yet. */
export async function findEventNumber(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<number | null> {
  const [row] = await db.query<{ sequence: number | null }>(sql`
    select sequence from events where organization_id = ${organization} and id = ${id}`)
  return row?.sequence ?? null
}

export interface EventSequenceFilter {
  readonly organization: string
  readonly kind: string | null
  readonly entity_type: string | null
  readonly entity_id: string | null
  /** Only events with a higher number. */
  readonly after: number
  /** No such event has a lower id; null if that is unknown. */
  readonly from: string | null
  readonly limit: number
  readonly visibility: EventVisibility | null
}

export type NumberedEventRow = EventRow & { readonly sequence: number }

/** Lists events in the order of their numbers. Without `from`, all days are read. */
export function listNumberedEvents(db: SqlStatementRunner, filter: EventSequenceFilter): Promise<NumberedEventRow[]> {
  const { from, visibility } = filter
  const statement = sql`
    select organization_id, id, kind, entity_type, entity_id, data, actor_kind, actor_id, operation, request_id,
           created_at, sequence
    from events
    where organization_id = ${filter.organization} and sequence > ${filter.after}
      ${from === null ? sql.empty : sql`and id >= ${from}::uuid`}
      ${equalsUnlessNullCondition(sql`kind`, filter.kind)} ${equalsUnlessNullCondition(sql`entity_type`, filter.entity_type)}
      ${equalsUnlessNullCondition(sql`entity_id`, filter.entity_id)}
      ${visibility === null ? sql.empty : sql`and ${eventVisibilityCondition(visibility)}`}
    order by sequence
    limit ${filter.limit}`
  return db.query<NumberedEventRow>(from === null ? sql.genericWhenFrequent(statement) : statement)
}
