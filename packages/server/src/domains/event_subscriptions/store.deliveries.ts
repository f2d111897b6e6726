import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import {
  eventDeliveryColumns,
  insertIntoEventDeliveryLog,
  dayRowMadeAfterCondition,
  moveEventDeliveriesToQueue,
  type EventDeliveryLogKey,
  type StoredEventDelivery,
} from './log/store.log.ts'

export interface EventDeliveryRow {
  readonly id: string
  readonly subscription_id: string
  readonly event_id: string
  readonly event_type: string
  readonly entity_type: string
  readonly entity_id: string
  readonly state: 'pending' | 'delivering' | 'succeeded' | 'retrying' | 'dead' | 'cancelled'
  readonly attempts: number
  readonly sequence: number | null
  readonly next_at: Date | null
  readonly finished_at: Date | null
  readonly created_at: Date
}

const openColumns = sql`
  d.organization_id, ${eventDeliveryColumns}, d.state, d.next_at, d.finished_at`
const loggedColumns = sql`
  d.organization_id, ${eventDeliveryColumns}, d.state, null::timestamptz as next_at, d.finished_at`
const columns = sql`
  d.id, d.subscription_id, d.event_id, e.kind as event_type, e.entity_type, e.entity_id, d.state, d.attempts, d.sequence,
  d.next_at, d.finished_at, d.created_at`
/** The event `e` of each delivery `d`. With the limit, each looks for its event in the partition of its day, instead of a join with all of them. */
export const joinEventsOfDeliveriesSql = sql`
  cross join lateral (
    select kind, entity_type, entity_id from events where organization_id = d.organization_id and id = d.event_id limit 1) e`

export interface EventDeliveryFilter {
  readonly organization: string
  readonly subscription: string
  readonly state: string | null
  /** Only deliveries before this one in the order of the list. */
  readonly before: readonly [created_at: string, id: string] | null
  readonly limit: number
}

const isBefore = ([created_at, id]: readonly [string, string]): Sql =>
  sql`and (d.created_at, d.id) < (${created_at}::timestamptz, ${id}::uuid)`

/** Newest first; open ones and those of the log. */
export const listEventDeliveries = (
  db: SqlStatementRunner,
  filter: EventDeliveryFilter,
): Promise<EventDeliveryRow[]> => {
  const page = sql`
    where d.organization_id = ${filter.organization} and d.subscription_id = ${filter.subscription}
      and (${filter.state}::text is null or d.state = ${filter.state})
      ${filter.before === null ? sql.empty : isBefore(filter.before)}
    order by d.created_at desc, d.id desc
    limit ${filter.limit}`
  return db.query<EventDeliveryRow>(
    sql.generic(sql`
    select ${columns}
    from (
      (select ${openColumns} from event_deliveries d ${page}) union all
      (select ${loggedColumns} from event_delivery_log d ${page})) d
    ${joinEventsOfDeliveriesSql}
    order by d.created_at desc, d.id desc
    limit ${filter.limit}`),
  )
}

export async function findEventDelivery(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<EventDeliveryRow | null> {
  const [row] = await db.query<EventDeliveryRow>(
    sql.generic(sql`
    select ${columns}
    from (
      select ${openColumns} from event_deliveries d where d.organization_id = ${organization} and d.id = ${id}
      union all
      select ${loggedColumns} from event_delivery_log d
      where d.organization_id = ${organization} and d.id = ${id} and ${dayRowMadeAfterCondition(sql`d.log_id`, id)}) d
    ${joinEventsOfDeliveriesSql}`),
  )
  return row ?? null
}

export interface DeliveredEventRow {
  readonly id: string
  readonly organization_id: string
  readonly kind: string
  readonly entity_type: string
  readonly entity_id: string
  readonly data: Readonly<Record<string, unknown>>
  readonly created_at: Date
}

/**
 * Events of deliveries by their ids. Planned with the ids, so that only their days are read and locked; a join would lock all days.
 */
export async function listDeliveredEvents(
  db: SqlStatementRunner,
  organization: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DeliveredEventRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query<DeliveredEventRow>(sql`
    select id, organization_id, kind, entity_type, entity_id, data, created_at
    from events where organization_id = ${organization} and id = any(${[...ids]}::uuid[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The event of a delivery. */
export async function findDeliveredEvent(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<DeliveredEventRow> {
  return (await listDeliveredEvents(db, organization, [id])).get(id)!
}

export interface EventDeliveryAttemptRow {
  readonly id: string
  readonly delivery_id: string
  readonly endpoint_url: string
  readonly is_delivered: boolean
  readonly http_status: number | null
  readonly error: string | null
  readonly response_headers: Readonly<Record<string, string>>
  readonly response_body: string | null
  readonly started_at: Date
  readonly duration_ms: number
}

/** The attempts at a delivery, newest first, at most 100. They are made after it: partitions of earlier days are not read. */
export const listEventDeliveryAttempts = (
  db: SqlStatementRunner,
  organization: string,
  delivery_id: string,
): Promise<EventDeliveryAttemptRow[]> =>
  db.query<EventDeliveryAttemptRow>(sql`
    select id, delivery_id, endpoint_url, is_delivered, http_status, error, response_headers, response_body, started_at,
           duration_ms
    from event_delivery_attempts
    where organization_id = ${organization} and delivery_id = ${delivery_id}
      and ${dayRowMadeAfterCondition(sql`id`, delivery_id)}
    order by started_at desc, id desc
    limit 100`)

/** Gives the delivery all its attempts again, unless it is being sent. False if it is. */
export async function updateEventDeliverySchedule(
  tx: Tx,
  organization: string,
  id: string,
  now: OrganizationTime,
): Promise<boolean> {
  // The log first: what another call moves meanwhile is in the queue afterwards.
  const keys = await tx.query<EventDeliveryLogKey>(sql`
    select d.id, d.log_id from event_delivery_log d
    where d.organization_id = ${organization} and d.id = ${id} and ${dayRowMadeAfterCondition(sql`d.log_id`, id)}`)
  if ((await moveEventDeliveriesToQueue(tx, organization, keys, now)) > 0) return true
  const rows = await tx.query(sql`
    update event_deliveries
    set state = 'pending', attempts = 0, attempt_id = null, next_at = ${now}, lease_until = null,
        scheduled_at = ${now}, finished_at = null
    where organization_id = ${organization} and id = ${id} and state <> 'delivering'
    returning id`)
  return rows.length > 0
}

export interface EventDeliveryReplayWindow {
  readonly organization: string
  readonly subscription: string
  readonly since: Date
  readonly until: Date
  /** Also deliveries that succeeded. */
  readonly include_delivered: boolean
  readonly limit: number
}

/** Reschedules finished deliveries of events in the period, oldest first; returns how many. */
export const updateScheduleOfEventDeliveriesInWindow = async (
  tx: Tx,
  window: EventDeliveryReplayWindow,
  now: OrganizationTime,
): Promise<number> => {
  const states = window.include_delivered ? ['dead', 'cancelled', 'succeeded'] : ['dead', 'cancelled']
  const keys = await tx.query<EventDeliveryLogKey>(sql`
    select d.id, d.log_id from event_delivery_log d
    where d.organization_id = ${window.organization} and d.subscription_id = ${window.subscription}
      and d.state = any(${states}::text[]) and d.created_at >= ${window.since} and d.created_at < ${window.until}
    order by d.created_at, d.id
    limit ${window.limit}`)
  return moveEventDeliveriesToQueue(tx, window.organization, keys, now)
}

export interface EventDeliveryEndOutcome {
  /** The condition on the deliveries `d` that end. */
  readonly condition: Sql
  readonly state: 'dead' | 'cancelled'
  readonly now: OrganizationTime
}

/** Deliveries that end in one statement. */
const max_ended = 1000

/**
 * Ends deliveries whose subscriptions are locked, the oldest first, at most 1,000; false if some may be left. Those that were never sent get the next numbers of their subscription,
 * so that the receiver sees that they are missing.
 */
export async function markEventDeliveriesEnded(
  tx: Tx,
  organization: string,
  { condition, state, now }: EventDeliveryEndOutcome,
): Promise<boolean> {
  const rows = await tx.query<StoredEventDelivery>(sql`
    with ending as (
      select d.id, d.subscription_id, d.sequence, d.next_at from event_deliveries d
      where d.organization_id = ${organization} and ${condition}
      order by d.next_at, d.id
      limit ${max_ended}
    ), numbered as (
      select ending.id, ending.subscription_id,
             coalesce(ending.sequence, s.last_sequence + count(*) filter (where ending.sequence is null)
               over (partition by ending.subscription_id order by ending.next_at, ending.id)) as sequence
      from ending
      join event_subscriptions s on s.organization_id = ${organization} and s.id = ending.subscription_id
    ), counted as (
      update event_subscriptions s set last_sequence = newest.sequence
      from (select subscription_id, max(sequence) as sequence from numbered group by subscription_id) as newest
      where s.organization_id = ${organization} and s.id = newest.subscription_id and s.last_sequence < newest.sequence
    )
    delete from event_deliveries d
    using numbered
    where d.organization_id = ${organization} and d.id = numbered.id
    returning d.id, d.event_id, d.subscription_id, d.attempts, d.created_at, d.scheduled_at, d.attempt_id, numbered.sequence`)
  await insertIntoEventDeliveryLog(
    tx,
    organization,
    rows.map((row) => ({ ...row, state, finished_at: now })),
  )
  return rows.length < max_ended
}

/**
 * Ends all deliveries of a locked subscription that are not finished. One of an event that is committed at the same time stays
 * open; it is sent when the subscription is activated again, as those of a paused one are.
 */
export async function markOpenEventDeliveriesEnded(
  tx: Tx,
  { organization, subscription }: { readonly organization: string; readonly subscription: string },
  state: EventDeliveryEndOutcome['state'],
  now: OrganizationTime,
): Promise<void> {
  const condition = sql`d.subscription_id = ${subscription} and d.next_at is not null`
  while (!(await markEventDeliveriesEnded(tx, organization, { condition, state, now }))) continue
}
