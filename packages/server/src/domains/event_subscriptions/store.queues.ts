import type { OrganizationTime, OrganizationTimes } from '../../platform/clock.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { dueCondition } from '../../platform/database/due-condition.ts'
import type { DueRows } from '../../platform/sandbox/due-rows.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import type { AttemptRow, DeliveredEventRow } from './store.deliveries.ts'

/** The organizations, of all, that have a delivery to send now. */
export async function listOrganizationsWithDueDeliveries(
  unscoped: Queryable,
  times: OrganizationTimes,
): Promise<string[]> {
  const rows = await unscoped.query<{ organization_id: string }>(sql`
    select distinct s.organization_id from event_subscriptions s
    where s.active and (s.held_until is null or ${dueCondition(sql`s.held_until`, sql`s.organization_id`, times)})
      and exists (
        select from event_deliveries d
        where d.organization_id = s.organization_id and d.subscription_id = s.id
          and ${dueCondition(sql`d.next_at`, sql`d.organization_id`, times)})`)
  return rows.map((row) => row.organization_id)
}

/** When deliveries are attempted: not before the hold of their subscription ends. */
export const dueAttemptRows = (organization: string, step_ms: number): DueRows => ({
  from: sql`(
    select greatest(d.next_at, s.held_until) as due_at from event_subscriptions s
    join event_deliveries d on d.organization_id = s.organization_id and d.subscription_id = s.id
    where s.organization_id = ${organization} and s.active and d.next_at is not null) attempts`,
  where: sql`true`,
  at: sql`due_at`,
  step_ms,
})

export async function countActiveSubscriptions(db: Queryable, organization: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from event_subscriptions where organization_id = ${organization} and active`)
  return row?.count ?? 0
}

/** Subscriptions whose deliveries one statement claims. */
const max_queues = 200

/**
 * Locks the queues that have a delivery to send. Another worker skips them until the transaction ends. Returns how many may be
 * sent to each at once: one to an endpoint that has failed, which after a hold is the probe.
 */
export const lockDueQueues = (
  tx: Tx,
  organization: string,
  now: OrganizationTime,
  max_concurrent: number,
): Promise<{ id: string; max_concurrent: number }[]> =>
  tx.query(sql`
    select s.id, case when s.failure_count = 0 then ${max_concurrent}::int else 1 end as max_concurrent
    from event_subscriptions s
    where s.organization_id = ${organization} and s.active and (s.held_until is null or s.held_until <= ${now})
      and exists (
        select from event_deliveries d
        where d.organization_id = ${organization} and d.subscription_id = s.id and d.next_at <= ${now})
    limit ${max_queues}
    for no key update of s skip locked`)

/** Ends due deliveries of the queues whose schedule began before `oldest`, at most 1,000; returns how many. */
export async function expireDeliveries(
  tx: Tx,
  organization: string,
  queues: readonly string[],
  { now, oldest }: { readonly now: OrganizationTime; readonly oldest: Date },
): Promise<number> {
  const rows = await tx.query(sql`
    update event_deliveries set state = 'dead', next_at = null, finished_at = ${now}
    where organization_id = ${organization} and id in (
      select id from event_deliveries
      where organization_id = ${organization} and subscription_id = any(${[...queues]}::uuid[])
        and next_at <= ${now} and scheduled_at <= ${oldest}
      limit 1000)
    returning id`)
  return rows.length
}

/** A delivery that is to be sent now, with its event and subscription. */
export type ClaimedDelivery = Omit<DeliveredEventRow, 'id'> & {
  readonly id: string
  readonly event_id: string
  readonly subscription_id: string
  readonly attempt_id: string
  readonly attempts: number
  readonly endpoint_url: string
  readonly sealed_secret: string
  readonly previous_sealed_secret: string | null
  readonly previous_secret_expires_at: Date | null
  readonly sealed_headers: string | null
}

export interface Claim {
  readonly organization: string
  readonly queues: readonly { readonly id: string; readonly max_concurrent: number }[]
  readonly now: OrganizationTime
  /** When a delivery without a result is due again. */
  readonly lease_until: OrganizationTime
  readonly limit: number
}

/** Claims the due deliveries of locked queues, one of each in turn: each counts an attempt and is leased. */
export const claimDeliveries = (tx: Tx, claim: Claim): Promise<ClaimedDelivery[]> =>
  tx.query<ClaimedDelivery>(sql`
    with oldest as (
      select due.id
      from unnest(${claim.queues.map(({ id }) => id)}::uuid[], ${claim.queues.map((queue) => queue.max_concurrent)}::int[])
        as queue (id, max_concurrent)
      cross join lateral (
        select d.id, d.next_at, row_number() over (order by d.next_at, d.id) as turn from event_deliveries d
        where d.organization_id = ${claim.organization} and d.subscription_id = queue.id and d.next_at <= ${claim.now}
        order by d.next_at, d.id
        limit greatest(0, queue.max_concurrent - (
          select count(*) from event_deliveries busy
          where busy.organization_id = ${claim.organization} and busy.subscription_id = queue.id
            and busy.state = 'delivering' and busy.next_at > ${claim.now}))) as due
      order by due.turn, due.next_at
      limit ${claim.limit}
    ), chosen as (
      select id, (${Array.from({ length: claim.limit }, newId)}::uuid[])[row_number() over ()] as attempt_id from oldest
    ), claimed as (
      update event_deliveries d
      set state = 'delivering', attempts = d.attempts + 1, attempt_id = chosen.attempt_id, next_at = ${claim.lease_until}
      from chosen
      where d.organization_id = ${claim.organization} and d.id = chosen.id
      returning d.id, d.event_id, d.subscription_id, d.attempt_id, d.attempts
    )
    select claimed.id, claimed.event_id, claimed.subscription_id, claimed.attempt_id, claimed.attempts,
           e.organization_id, e.kind, e.entity_type, e.entity_id, e.data, e.created_at,
           s.endpoint_url, s.sealed_secret, s.previous_sealed_secret, s.previous_secret_expires_at, s.sealed_headers
    from claimed
    join events e on e.organization_id = ${claim.organization} and e.id = claimed.event_id
    join event_subscriptions s on s.organization_id = ${claim.organization} and s.id = claimed.subscription_id`)

/** What becomes of a delivery after an attempt. */
export interface DeliveryOutcome {
  readonly id: string
  readonly attempt_id: string
  readonly state: 'succeeded' | 'retrying' | 'dead'
  readonly next_at: Date | null
}

/** Writes outcomes of attempts; one whose lease was taken over meanwhile is ignored. */
export async function updateOutcomes(
  tx: Tx,
  organization: string,
  outcomes: readonly DeliveryOutcome[],
  now: OrganizationTime,
): Promise<void> {
  await tx.query(sql`
    update event_deliveries d
    set state = outcome.state, next_at = outcome.next_at,
        finished_at = case when outcome.next_at is null then ${now}::timestamptz end
    from jsonb_to_recordset(${sql.json(outcomes)}::jsonb)
      as outcome (id uuid, attempt_id uuid, state text, next_at timestamptz)
    where d.organization_id = ${organization} and d.id = outcome.id and d.attempt_id = outcome.attempt_id
      and d.state = 'delivering'`)
}

/** Adds attempts to the log; those of deliveries that were deleted meanwhile are dropped. */
export async function insertAttempts(tx: Tx, organization: string, attempts: readonly AttemptRow[]): Promise<void> {
  // Locked, so that no delivery is deleted before its attempt is inserted.
  const deliveries = await tx.query<{ id: string }>(sql`
    select id from event_deliveries
    where organization_id = ${organization} and id = any(${attempts.map(({ delivery_id }) => delivery_id)}::uuid[])
    for key share`)
  const kept = new Set(deliveries.map(({ id }) => id))
  const rows = attempts.filter(({ delivery_id }) => kept.has(delivery_id)).map((row) => toValues(organization, row))
  if (rows.length === 0) return
  await tx.query(sql`
    insert into event_delivery_attempts
      (organization_id, id, delivery_id, endpoint_url, is_delivered, http_status, error, response_headers, response_body,
       started_at, duration_ms)
    values ${sql.join(rows)}
    on conflict (organization_id, id) do nothing`)
}

const toValues = (organization: string, attempt: AttemptRow): Sql => sql`
  (${organization}::uuid, ${attempt.id}::uuid, ${attempt.delivery_id}::uuid, ${attempt.endpoint_url}::text,
   ${attempt.is_delivered}::boolean, ${attempt.http_status}::int, ${attempt.error}::text,
   ${sql.json(attempt.response_headers)}::jsonb, ${attempt.response_body}::text, ${attempt.started_at}::timestamptz,
   ${attempt.duration_ms}::int)`
