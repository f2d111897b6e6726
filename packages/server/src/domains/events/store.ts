import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { inBatches, listValues } from '../../platform/database/statements/values-list.ts'
import { insertDeliveries, selectMatches, type Match } from './store.deliveries.ts'

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

/** The columns that the matching of subscriptions reads. */
const matchedColumns = sql`organization_id, id, kind, entity_type, project_id, data, created_at`

/** A row to insert: the project of the entity is stored with the event, so that a filter by project is a single condition. */
export type NewEventRow = EventRow & { readonly project_id: string | null }

const eventValues = (event: NewEventRow): Sql => sql`
  (${event.organization_id}, ${event.id}, ${event.kind}, ${event.entity_type}, ${event.entity_id}, ${event.project_id},
   ${sql.json(event.data)}, ${event.actor_kind}, ${event.actor_id}, ${event.operation}, ${event.request_id},
   ${event.created_at})`

/**
 * An event with its deliveries; what it is delivered to is found in the statement that inserts it. Returns the number of
 * deliveries; without `hasDeliveries` there are none.
 */
export async function insertEvent(tx: Tx, event: NewEventRow, hasDeliveries = true): Promise<number> {
  const matches = await tx.query<Match>(
    sql.prepared(sql`
    with event as (
      insert into events (${eventColumns}) values ${eventValues(event)} returning ${matchedColumns}
    )
    ${selectMatches(event.organization_id)} and ${hasDeliveries}::boolean`),
  )
  await insertDeliveries(tx, event.organization_id, matches, event.created_at)
  return matches.length
}

/** Events of one organization and kind that are inserted together, with their deliveries. Returns the number of deliveries. */
export async function insertEvents(
  tx: Tx,
  { organization_id, created_at }: Pick<EventRow, 'organization_id' | 'created_at'>,
  events: readonly NewEventRow[],
): Promise<number> {
  let deliveries = 0
  for (const batch of inBatches(events)) {
    const matches = await tx.query<Match>(sql`
      with event as (
        insert into events (${eventColumns})
        values ${listValues(batch, (event) => eventValues({ ...event, organization_id }))} returning ${matchedColumns}
      )
      ${selectMatches(organization_id)}`)
    await insertDeliveries(tx, organization_id, matches, created_at)
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

/** Which events a caller may see. */
export interface EventVisibility {
  /** Query of the projects whose events are all visible. */
  readonly projects: Sql
  /** Entity types whose events are all visible. */
  readonly types: readonly string[]
}

export const visibilityCondition = ({ projects, types }: EventVisibility): Sql => sql`
  (entity_type = any(${[...types]}::text[]) or project_id in (${projects}))`

/** Newest first; ids sort by time. */
export async function listEvents(db: Queryable, filter: EventFilter): Promise<EventRow[]> {
  return db.query<EventRow>(sql`
    select organization_id, id, kind, entity_type, entity_id, data, actor_kind, actor_id, operation, request_id, created_at
    from events
    where organization_id = ${filter.organization}
      and (${filter.kind}::text is null or kind = ${filter.kind})
      and (${filter.entity_type}::text is null or entity_type = ${filter.entity_type})
      and (${filter.entity_id}::text is null or entity_id = ${filter.entity_id})
      and (${filter.before}::uuid is null or id < ${filter.before}::uuid)
      ${filter.visibility === null ? sql.empty : sql`and ${visibilityCondition(filter.visibility)}`}
    order by id desc
    limit ${filter.limit}`)
}
