import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { splitIntoBatches, buildValuesList } from '../../platform/database/statements/values-list.ts'
import { findLowestIdAfter, findLowestIdBefore, newId } from '../../platform/ids.ts'
import { insertEventDeliveries, subscriptionMatchesQuery, type EventSubscriptionMatch } from './store.deliveries.ts'

export interface EventRow {
  readonly id: string
  readonly organization_id: string
  readonly kind: string
  readonly entity_type: string
  readonly entity_id: string
  readonly data: Readonly<Record<string, unknown>>
  readonly actor_kind: string
  readonly actor_id: string
  readonly operation: string
  readonly request_id: string
  readonly created_at: Date
}

const eventColumns = sql`
  organization_id, id, kind, entity_type, entity_id, project_id, data, actor_kind, actor_id, operation, request_id, created_at`

/** A row to insert: the project of the entity is stored with the event, so that a filter by project is a single condition. */
export type NewEventRow = EventRow & { readonly project_id: string | null }

const eventValues = (event: NewEventRow): Sql => sql`
  (${event.organization_id}, ${event.id}, ${event.kind}, ${event.entity_type}, ${event.entity_id}, ${event.project_id},
   ${sql.json(event.data)}, ${event.actor_kind}, ${event.actor_id}, ${event.operation}, ${event.request_id},
   ${event.created_at})`

/**
 * An event with its deliveries. Returns the number of deliveries; without `hasDeliveries` there are none, and no
 * subscription is matched. Two statements: a distributed engine runs an INSERT in a WITH clause by itself, and can then
 * match its rows with nothing else.
 */
export async function insertDomainEvent(tx: Tx, event: NewEventRow, hasDeliveries = true): Promise<number> {
  await tx.query(sql.prepared(sql`insert into events (${eventColumns}) values ${eventValues(event)}`))
  if (!hasDeliveries) return 0
  const matches = await tx.query<EventSubscriptionMatch>(
    sql.prepared(subscriptionMatchesQuery(event.organization_id, [event])),
  )
  await insertEventDeliveries(tx, event.organization_id, matches, event.created_at)
  return matches.length
}

/** Events of one organization and kind that are inserted together, with their deliveries. Returns the number of deliveries. */
export async function insertEvents(
  tx: Tx,
  { organization_id, created_at }: Pick<EventRow, 'organization_id' | 'created_at'>,
  events: readonly NewEventRow[],
): Promise<number> {
  let deliveries = 0
  for (const batch of splitIntoBatches(events)) {
    await tx.query(sql`
      insert into events (${eventColumns})
      values ${buildValuesList(batch, (event) => eventValues({ ...event, organization_id }))}`)
    const matches = await tx.query<EventSubscriptionMatch>(subscriptionMatchesQuery(organization_id, batch))
    await insertEventDeliveries(tx, organization_id, matches, created_at)
    deliveries += matches.length
  }
  return deliveries
}

export interface EventFilter {
  readonly organization: string
  readonly kind: string | null
  readonly entity_type: string | null
  readonly entity_id: string | null
  /** Only events older than this id; null starts at the newest. */
  readonly before: string | null
  readonly limit: number
  /** Null: every event is visible. */
  readonly visibility: EventVisibility | null
}

/** The events that a caller may see. */
export interface EventVisibility {
  /** Query of the projects whose events are all visible. */
  readonly projects: Sql
  /** Entity types whose events are all visible. */
  readonly types: readonly string[]
}

export const eventVisibilityCondition = ({ projects, types }: EventVisibility): Sql => sql`
  (entity_type = any(${[...types]}::text[]) or project_id in (${projects}))`

/** A further condition, with its `and`: the column has the value; nothing for null. */
export const equalsUnlessNullCondition = (column: Sql, value: string | null): Sql =>
  value === null ? sql.empty : sql`and ${column} = ${value}`

/** The days that are read first: enough for a page of most organizations. */
const recent_ms = 7 * 86_400_000

/**
 * Newest first; ids sort by time. The last days are read first: a statement about all days locks each of them, and while it is planned
 * their indexes. An entity has fewer events than a page, so all days since it was made are read at once.
 */
export async function listEvents(db: SqlStatementRunner, filter: EventFilter): Promise<EventRow[]> {
  const selectAll = (part: EventFilter, from: string | null): Promise<EventRow[]> =>
    db.query<EventRow>(sql.genericWhenFrequent(selectEvents(part, from)))
  if (filter.entity_id !== null) return selectAll(filter, findLowestIdAfter(filter.entity_id))
  const recent = findLowestIdBefore(filter.before ?? newId(), recent_ms)
  const rows = await db.query<EventRow>(selectEvents(filter, recent))
  if (rows.length === filter.limit) return rows
  const rest = { ...filter, before: recent, limit: filter.limit - rows.length }
  return [...rows, ...(await selectAll(rest, null))]
}

const selectEvents = ({ before, visibility, ...filter }: EventFilter, from: string | null): Sql => sql`
    select organization_id, id, kind, entity_type, entity_id, data, actor_kind, actor_id, operation, request_id, created_at
    from events
    where organization_id = ${filter.organization}
      ${equalsUnlessNullCondition(sql`kind`, filter.kind)} ${equalsUnlessNullCondition(sql`entity_type`, filter.entity_type)}
      ${equalsUnlessNullCondition(sql`entity_id`, filter.entity_id)} ${from === null ? sql.empty : sql`and id >= ${from}::uuid`}
      ${before === null ? sql.empty : sql`and id < ${before}::uuid`}
      ${visibility === null ? sql.empty : sql`and ${eventVisibilityCondition(visibility)}`}
    order by id desc
    limit ${filter.limit}`
