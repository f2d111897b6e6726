import type { OrganizationTime, OrganizationCurrentTimes, ProcessClockTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { dueCondition } from '../../platform/database/due-condition.ts'
import type { DueRowsQuery } from '../../platform/sandbox/due-rows.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { delegationStopReasonSql } from '../../platform/database/statements/creator-condition.ts'
import { newId } from '../../platform/ids.ts'
import {
  markEventDeliveriesEnded,
  listDeliveredEvents,
  type EventDeliveryAttemptRow,
  type DeliveredEventRow,
} from './store.deliveries.ts'
import { eventDeliveryColumns, insertIntoEventDeliveryLog, type EndedEventDelivery } from './log/store.log.ts'

/** The subscription acts for its creator: deliveries wait while it does not. */
const isActing = (organization: string, now: OrganizationTime | null): Sql => {
  const creator = sql`coalesce(s.created_by_key, s.created_by)::text`
  return sql`${delegationStopReasonSql({ organization: sql`${organization}`, creator, project: sql`s.project_id` }, now)} is null`
}

/** No process is sending the delivery `d`: the one that claimed it last has ended the attempt, or is taken to be dead. */
const isFree = (processTime: ProcessClockTime): Sql =>
  sql`(d.lease_until is null or d.lease_until <= ${processTime}::timestamptz)`

/** The organizations, of all, that have a delivery to send now. */
export async function listOrganizationsWithDueEventDeliveries(
  unscoped: SqlStatementRunner,
  times: OrganizationCurrentTimes,
  processTime: ProcessClockTime,
): Promise<string[]> {
  const rows = await unscoped.query<{ organization_id: string }>(sql`
    select distinct s.organization_id from event_subscriptions s
    where s.active and (s.held_until is null or ${dueCondition(sql`s.held_until`, sql`s.organization_id`, times)})
      and exists (
        select 1 from event_deliveries d
        where d.organization_id = s.organization_id and d.subscription_id = s.id
          and ${dueCondition(sql`d.next_at`, sql`d.organization_id`, times)} and ${isFree(processTime)})`)
  return rows.map((row) => row.organization_id)
}

/** The rows of deliveries that are due for an attempt: not before the hold of their subscription ends. */
export const dueEventDeliveryAttemptRows = (
  organization: string,
  step_ms: number,
  processTime: ProcessClockTime,
): DueRowsQuery => ({
  from: sql`(
    select greatest(d.next_at, s.held_until) as due_at from event_subscriptions s
    join event_deliveries d on d.organization_id = s.organization_id and d.subscription_id = s.id
    where s.organization_id = ${organization} and s.active and ${isActing(organization, null)} and d.next_at is not null
      and ${isFree(processTime)}) attempts`,
  where: sql`true`,
  at: sql`due_at`,
  step_ms,
})

/** Subscriptions whose deliveries one statement claims. */
const max_queues = 200

/** The queue of a subscription, whose row is locked. */
export interface DueEventDeliveryQueue {
  /** The subscription. */
  readonly id: string
  /** False if the last delivery failed. */
  readonly is_accepting: boolean
  /** Deliveries to send, counted up to a number. */
  readonly due_count: number
  /** True if one of the counted ones is too old to be sent. */
  readonly has_expired: boolean
  /** Active subscriptions of the organization. */
  readonly active_count: number
}

interface QueueTimes {
  readonly now: OrganizationTime
  readonly processTime: ProcessClockTime
  /** Deliveries whose schedule began before have expired. */
  readonly oldest: Date
}

/**
 * Locks the queues that have a delivery to send. Another worker skips them until the transaction ends. At most `max_counted` of
 * each are counted, those that are claimed first; a delivery whose schedule began before `oldest` has expired.
 */
export const lockDueEventDeliveryQueues = (
  tx: Tx,
  organization: string,
  { now, processTime, oldest, max_counted }: QueueTimes & { readonly max_counted: number },
): Promise<DueEventDeliveryQueue[]> =>
  tx.query(
    sql.prepared(sql`
    select s.id, s.failure_count = 0 as is_accepting, due.due_count, due.has_expired,
           (select count(*)::int from event_subscriptions a where a.organization_id = ${organization} and a.active)
             as active_count
    from event_subscriptions s
    cross join lateral (
      select count(*)::int as due_count, coalesce(bool_or(first.scheduled_at <= ${oldest}), false) as has_expired
      from (
        select d.scheduled_at from event_deliveries d
        where d.organization_id = ${organization} and d.subscription_id = s.id and d.next_at <= ${now}
          and ${isFree(processTime)}
        order by d.next_at, d.id
        limit ${max_counted}) as first) as due
    where s.organization_id = ${organization} and s.active and (s.held_until is null or s.held_until <= ${now})
      and due.due_count > 0 and ${isActing(organization, now)}
    limit ${max_queues}
    for no key update of s skip locked`),
  )

/** Ends due deliveries of locked queues whose schedule began before `oldest`, at most 1,000; false if some may be left. */
export const markEventDeliveriesExpired = (
  tx: Tx,
  organization: string,
  queues: readonly string[],
  { now, processTime, oldest }: QueueTimes,
): Promise<boolean> =>
  markEventDeliveriesEnded(tx, organization, {
    condition: sql`d.subscription_id = any(${[...queues]}::uuid[]) and d.next_at <= ${now}
      and ${isFree(processTime)} and d.scheduled_at <= ${oldest}`,
    state: 'dead',
    now,
  })

/** A delivery that is to be sent now, with its subscription. */
interface ClaimedRow {
  readonly id: string
  readonly event_id: string
  readonly subscription_id: string
  readonly attempt_id: string
  readonly attempts: number
  readonly sequence: number
  readonly endpoint_url: string
  readonly sealed_secret: string
  readonly previous_sealed_secret: string | null
  readonly previous_secret_expires_at: Date | null
  readonly sealed_headers: string | null
}

/** A delivery that is to be sent now, with its event and subscription. */
export type ClaimedEventDelivery = ClaimedRow & Omit<DeliveredEventRow, 'id'>

interface ClaimedQueue {
  readonly id: string
  readonly max_concurrent: number
  readonly due_count: number
}

export interface EventDeliveryClaim {
  readonly organization: string
  /** The limit of deliveries in progress of each queue, and those that it has to send, as far as they were counted. */
  readonly queues: readonly ClaimedQueue[]
  readonly now: OrganizationTime
  /** The time when a delivery without a result is due again, once its lease has ended, too. */
  readonly next_at: OrganizationTime
  readonly lease: { readonly now: ProcessClockTime; readonly until: ProcessClockTime }
  readonly limit: number
}

/**
 * Claims the due deliveries of locked queues, one of each in turn: each counts an attempt and is leased. One that was never sent
 * gets the next number of its subscription.
 */
export async function claimEventDeliveries(tx: Tx, claim: EventDeliveryClaim): Promise<ClaimedEventDelivery[]> {
  const claimed = await claimRows(tx, claim)
  const events = await listDeliveredEvents(
    tx,
    claim.organization,
    claimed.map(({ event_id }) => event_id),
  )
  return claimed.flatMap((row) => {
    const event = events.get(row.event_id)
    return event ? [{ ...event, ...row }] : []
  })
}

const claimRows = (tx: Tx, claim: EventDeliveryClaim): Promise<ClaimedRow[]> => {
  const claimable = claim.queues.map(({ max_concurrent, due_count }) => Math.min(max_concurrent, due_count))
  const limit = Math.min(
    claim.limit,
    claimable.reduce((sum, count) => sum + count, 0),
  )
  return tx.query<ClaimedRow>(
    sql.prepared(sql`
    with oldest as (
      select due.id, due.sequence, due.turn, s.id as subscription_id, s.last_sequence
      from unnest(${claim.queues.map(({ id }) => id)}::uuid[], ${claim.queues.map((queue) => queue.max_concurrent)}::int[])
        as queue (id, max_concurrent)
      join event_subscriptions s on s.organization_id = ${claim.organization} and s.id = queue.id
      cross join lateral (
        select d.id, d.sequence, d.next_at, row_number() over (order by d.next_at, d.id) as turn from event_deliveries d
        where d.organization_id = ${claim.organization} and d.subscription_id = queue.id and d.next_at <= ${claim.now}
          and ${isFree(claim.lease.now)}
        order by d.next_at, d.id
        limit greatest(0, queue.max_concurrent - (
          select count(*) from event_deliveries busy
          where busy.organization_id = ${claim.organization} and busy.subscription_id = queue.id
            and busy.state = 'delivering' and busy.lease_until > ${claim.lease.now}))) as due
      order by due.turn, due.next_at
      limit ${limit}
    ), chosen as (
      select id, subscription_id,
             (${Array.from({ length: limit }, newId)}::uuid[])[row_number() over ()] as attempt_id,
             coalesce(sequence, last_sequence + count(*) filter (where sequence is null)
               over (partition by subscription_id order by turn)) as sequence
      from oldest
    ), claimed as (
      update event_deliveries d
      set state = 'delivering', attempts = d.attempts + 1, attempt_id = chosen.attempt_id, next_at = ${claim.next_at},
          lease_until = ${claim.lease.until}, sequence = chosen.sequence
      from chosen
      where d.organization_id = ${claim.organization} and d.id = chosen.id
      returning d.id, d.event_id, d.subscription_id, d.attempt_id, d.attempts, d.sequence
    ), numbered as (
      update event_subscriptions s set last_sequence = newest.sequence
      from (select subscription_id, max(sequence) as sequence from chosen group by subscription_id) as newest
      where s.organization_id = ${claim.organization} and s.id = newest.subscription_id
        and s.last_sequence < newest.sequence
    )
    select claimed.id, claimed.event_id, claimed.subscription_id, claimed.attempt_id, claimed.attempts, claimed.sequence,
           s.endpoint_url, s.sealed_secret, s.previous_sealed_secret, s.previous_secret_expires_at, s.sealed_headers
    from claimed
    join event_subscriptions s on s.organization_id = ${claim.organization} and s.id = claimed.subscription_id`),
  )
}

/** The state of a delivery after an attempt. */
export interface EventDeliveryOutcome {
  readonly id: string
  readonly attempt_id: string
  readonly state: 'succeeded' | 'retrying' | 'dead'
  readonly next_at: Date | null
}

/** Writes outcomes of attempts; one whose lease was taken over meanwhile is ignored. Returns the deliveries that have one. */
export async function updateEventDeliveryOutcomes(
  tx: Tx,
  organization: string,
  outcomes: readonly EventDeliveryOutcome[],
  now: OrganizationTime,
): Promise<Set<string>> {
  const [again, ended] = [outcomes.filter(isSentAgain), outcomes.filter((outcome) => !isSentAgain(outcome))]
  const updated = again.length > 0 ? await scheduleRetries(tx, organization, again) : []
  const logged = ended.length > 0 ? await takeEnded(tx, organization, ended) : []
  await insertIntoEventDeliveryLog(
    tx,
    organization,
    logged.map((row) => ({ ...row, finished_at: now })),
  )
  return new Set([...updated, ...logged].map(({ id }) => id))
}

const isSentAgain = ({ next_at }: EventDeliveryOutcome): boolean => next_at !== null

const scheduleRetries = (
  tx: Tx,
  organization: string,
  outcomes: readonly EventDeliveryOutcome[],
): Promise<{ id: string }[]> =>
  tx.query(
    sql.prepared(sql`
    update event_deliveries d
    set state = outcome.state, next_at = outcome.next_at, lease_until = null
    from jsonb_to_recordset(${sql.json(outcomes)}::jsonb)
      as outcome (id uuid, attempt_id uuid, state text, next_at timestamptz)
    where d.organization_id = ${organization} and d.id = outcome.id and d.attempt_id = outcome.attempt_id
      and d.state = 'delivering'
    returning d.id`),
  )

const takeEnded = (
  tx: Tx,
  organization: string,
  outcomes: readonly EventDeliveryOutcome[],
): Promise<Omit<EndedEventDelivery, 'finished_at'>[]> =>
  tx.query(
    sql.prepared(sql`
    delete from event_deliveries d
    using jsonb_to_recordset(${sql.json(outcomes)}::jsonb) as outcome (id uuid, attempt_id uuid, state text)
    where d.organization_id = ${organization} and d.id = outcome.id and d.attempt_id = outcome.attempt_id
      and d.state = 'delivering'
    returning ${eventDeliveryColumns}, outcome.state`),
  )

/** Locks open deliveries, so that none is deleted before its attempt is inserted. Returns those that were not deleted meanwhile. */
export async function lockEventDeliveries(tx: Tx, organization: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from event_deliveries where organization_id = ${organization} and id = any(${[...ids]}::uuid[])
    for key share`)
  return new Set(rows.map(({ id }) => id))
}

/** Adds attempts at locked deliveries to the log. */
export async function insertEventDeliveryAttempts(
  tx: Tx,
  organization: string,
  attempts: readonly EventDeliveryAttemptRow[],
): Promise<void> {
  const rows = attempts.map((row) => toValues(organization, row))
  if (rows.length === 0) return
  await tx.query(
    sql.preparedWhenFrequent(sql`
    insert into event_delivery_attempts
      (organization_id, id, delivery_id, endpoint_url, is_delivered, http_status, error, response_headers, response_body,
       started_at, duration_ms)
    values ${sql.join(rows)}
    on conflict (organization_id, id) do nothing`),
  )
}

const toValues = (organization: string, attempt: EventDeliveryAttemptRow): Sql => sql`
  (${organization}::uuid, ${attempt.id}::uuid, ${attempt.delivery_id}::uuid, ${attempt.endpoint_url}::text,
   ${attempt.is_delivered}::boolean, ${attempt.http_status}::int, ${attempt.error}::text,
   ${sql.json(attempt.response_headers)}::jsonb, ${attempt.response_body}::text, ${attempt.started_at}::timestamptz,
   ${attempt.duration_ms}::int)`
