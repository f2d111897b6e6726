import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'
import {
  splitIntoBatches,
  buildValuesList,
  prepareByListLength,
} from '../../../platform/database/statements/values-list.ts'
import { findLowestIdAfter, newId } from '../../../platform/ids.ts'

/** A delivery that ended; one of them is in the log, and not in the queue, until it is sent again. */
export interface EndedEventDelivery {
  readonly id: string
  readonly event_id: string
  readonly subscription_id: string
  readonly state: 'succeeded' | 'dead' | 'cancelled'
  readonly attempts: number
  readonly created_at: Date
  readonly scheduled_at: Date
  readonly attempt_id: string | null
  readonly finished_at: Date
  readonly sequence: number | null
}

/** The fields of a delivery that both the queue and the log store. */
export type StoredEventDelivery = Omit<EndedEventDelivery, 'state' | 'finished_at'>

/** The columns of a `StoredEventDelivery`. */
export const eventDeliveryColumns = sql`
  d.id, d.event_id, d.subscription_id, d.attempts, d.created_at, d.scheduled_at, d.attempt_id, d.sequence`

/** SQL condition on a table of days: rows made after the one with this id, so that partitions of earlier days are not read. */
export const dayRowMadeAfterCondition = (column: Sql, id: string): Sql =>
  sql`${column} >= ${findLowestIdAfter(id)}::uuid`

/** Adds deliveries that were taken from the queue to the log. */
export async function insertIntoEventDeliveryLog(
  tx: Tx,
  organization: string,
  deliveries: readonly EndedEventDelivery[],
): Promise<void> {
  for (const batch of splitIntoBatches(deliveries))
    await tx.query(
      prepareByListLength(
        sql`
      insert into event_delivery_log
        (organization_id, id, log_id, event_id, subscription_id, state, attempts, created_at, scheduled_at, attempt_id, finished_at,
         sequence)
      values ${buildValuesList(
        batch,
        (row) => sql`
          (${organization}::uuid, ${row.id}::uuid, ${newId()}::uuid, ${row.event_id}::uuid, ${row.subscription_id}::uuid, ${row.state},
           ${row.attempts}::int, ${row.created_at}::timestamptz, ${row.scheduled_at}::timestamptz, ${row.attempt_id}::uuid,
           ${row.finished_at}::timestamptz, ${row.sequence}::bigint)`,
      )}`,
        batch.length,
      ),
    )
}

/** Finds which of the deliveries are in the log. */
export async function findLoggedEventDeliveries(
  db: SqlStatementRunner,
  organization: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const [oldest] = ids.toSorted()
  if (oldest === undefined) return new Set()
  const rows = await db.query<{ id: string }>(sql`
    select d.id from event_delivery_log d
    where d.organization_id = ${organization} and d.id = any(${[...ids]}::uuid[]) and ${dayRowMadeAfterCondition(sql`d.log_id`, oldest)}`)
  return new Set(rows.map(({ id }) => id))
}

/** An entry of the log. */
export interface EventDeliveryLogKey {
  /** The delivery. */
  readonly id: string
  readonly log_id: string
}

/**
 * Takes deliveries from the log and puts them into the queue, with all their attempts, due now; those that another call took
 * meanwhile, and those of a deleted subscription, are left out. Returns how many it put there.
 */
export async function moveEventDeliveriesToQueue(
  tx: Tx,
  organization: string,
  keys: readonly EventDeliveryLogKey[],
  now: OrganizationTime,
): Promise<number> {
  if (keys.length === 0) return 0
  // By values, not by a query: only the days of these entries are then read, and by the index.
  const taken = await tx.query<StoredEventDelivery>(sql`
    delete from event_delivery_log d
    where d.organization_id = ${organization} and d.id = any(${keys.map(({ id }) => id)}::uuid[])
      and d.log_id = any(${keys.map(({ log_id }) => log_id)}::uuid[])
    returning ${eventDeliveryColumns}`)
  if (taken.length === 0) return 0
  const subscriptions = await tx.query<{ id: string }>(sql`
    select id from event_subscriptions
    where organization_id = ${organization} and id = any(${[...new Set(taken.map((row) => row.subscription_id))]}::uuid[])
    for key share`)
  const present = new Set(subscriptions.map(({ id }) => id))
  const again = taken.filter(({ subscription_id }) => present.has(subscription_id))
  for (const batch of splitIntoBatches(again))
    await tx.query(sql`
      insert into event_deliveries
        (organization_id, id, event_id, subscription_id, created_at, scheduled_at, next_at, sequence)
      values ${buildValuesList(
        batch,
        (row) => sql`
          (${organization}::uuid, ${row.id}::uuid, ${row.event_id}::uuid, ${row.subscription_id}::uuid, ${row.created_at}::timestamptz,
           ${now}::timestamptz, ${now}::timestamptz, ${row.sequence}::bigint)`,
      )}`)
  return again.length
}

/** The organizations, sandboxes included, with deliveries that the previous version left in the queue when they ended. */
export async function listOrganizationsWithEndedEventDeliveries(unscoped: SqlStatementRunner): Promise<string[]> {
  const rows = await unscoped.query<{ organization_id: string }>(sql`
    select distinct organization_id from event_deliveries where finished_at is not null`)
  return rows.map(({ organization_id }) => organization_id)
}

/** Moves deliveries to the log that the previous version left in the queue when they ended, at most `limit`; returns how many. */
export async function moveEndedEventDeliveriesToLog(tx: Tx, organization: string, limit: number): Promise<number> {
  const rows = await tx.query<EndedEventDelivery>(sql`
    delete from event_deliveries d
    where d.organization_id = ${organization} and d.id in (
      select e.id from event_deliveries e
      where e.organization_id = ${organization} and e.finished_at is not null
      order by e.finished_at
      limit ${limit}
      for update skip locked)
    returning ${eventDeliveryColumns}, d.state, d.finished_at`)
  await insertIntoEventDeliveryLog(tx, organization, rows)
  return rows.length
}
