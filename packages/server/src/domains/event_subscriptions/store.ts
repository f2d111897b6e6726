import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { acquireAdvisoryLock } from '../../platform/database/named-lock.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

export interface EventSubscriptionRow {
  readonly organization_id: string
  readonly id: string
  readonly event_type: string
  readonly endpoint_url: string
  readonly filter_config: Readonly<Record<string, unknown>>
  readonly description: string | null
  readonly active: boolean
  readonly created_by: string | null
  /** The API key with which its user created it, if any. */
  readonly created_by_key: string | null
  readonly sealed_secret: string
  readonly previous_sealed_secret: string | null
  readonly previous_secret_expires_at: Date | null
  readonly sealed_headers: string | null
  readonly failing_since: Date | null
  readonly held_until: Date | null
  readonly disabled_reason: 'gone' | 'failing' | null
  /** The webhook of a workspace that the subscription is a part of. */
  readonly webhook_id: string | null
  /** Only events of this project; null for those of all. */
  readonly project_id: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = sql`
  organization_id, id, event_type, endpoint_url, filter_config, description, active, created_by, created_by_key, sealed_secret,
  previous_sealed_secret, previous_secret_expires_at, sealed_headers, failing_since, held_until, disabled_reason,
  webhook_id, project_id, created_at, updated_at`

export type NewEventSubscriptionRow = Pick<
  EventSubscriptionRow,
  | 'organization_id'
  | 'id'
  | 'event_type'
  | 'endpoint_url'
  | 'filter_config'
  | 'description'
  | 'created_by'
  | 'created_by_key'
  | 'sealed_secret'
  | 'sealed_headers'
> &
  Partial<Pick<EventSubscriptionRow, 'webhook_id' | 'project_id'>>

export async function insertEventSubscription(
  tx: Tx,
  row: NewEventSubscriptionRow,
  now: OrganizationTime,
): Promise<EventSubscriptionRow> {
  const [inserted] = await tx.query<EventSubscriptionRow>(sql`
    insert into event_subscriptions
      (organization_id, id, event_type, endpoint_url, filter_config, description, created_by, created_by_key, sealed_secret,
       sealed_headers, webhook_id, project_id, created_at, updated_at)
    values (${row.organization_id}, ${row.id}, ${row.event_type}, ${row.endpoint_url}, ${sql.json(row.filter_config)},
            ${row.description}, ${row.created_by}, ${row.created_by_key}, ${row.sealed_secret}, ${row.sealed_headers},
            ${row.webhook_id ?? null}, ${row.project_id ?? null}, ${now}, ${now})
    returning ${columns}`)
  return inserted!
}

/**
 * Subscriptions of the organization, whoever created them. Other transactions that count wait until this one ends, so that two
 * creations at once do not pass the limit.
 */
export async function lockAndCountEventSubscriptions(tx: Tx, organization: string): Promise<number> {
  await acquireAdvisoryLock(tx, `event subscriptions of ${organization}`)
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from event_subscriptions where organization_id = ${organization}`)
  return row!.count
}

/** Null: those of every creator. */
const createdBy = (user: string | null): Sql => (user === null ? sql.empty : sql`and created_by = ${user}`)

export interface EventSubscriptionScope {
  readonly organization: string
  /** Only subscriptions that this user created; null for all. */
  readonly creator: string | null
}

/** The subscription; with `lock` its row is locked until the transaction ends. */
export async function findEventSubscription(
  db: SqlStatementRunner,
  { organization, creator }: EventSubscriptionScope,
  id: string,
  lock = false,
): Promise<EventSubscriptionRow | null> {
  const [row] = await db.query<EventSubscriptionRow>(sql`
    select ${columns} from event_subscriptions
    where organization_id = ${organization} and id = ${id} ${createdBy(creator)}
    ${lock ? sql`for no key update` : sql.empty}`)
  return row ?? null
}

/** Newest first. */
export const listEventSubscriptions = (
  db: SqlStatementRunner,
  { organization, creator }: EventSubscriptionScope,
  filter: { readonly event_type: string | null; readonly active: boolean | null },
): Promise<EventSubscriptionRow[]> =>
  db.query<EventSubscriptionRow>(sql`
    select ${columns} from event_subscriptions
    where organization_id = ${organization} ${createdBy(creator)}
      and (${filter.event_type}::text is null or event_type = ${filter.event_type})
      and (${filter.active}::boolean is null or active = ${filter.active})
    order by created_at desc, id desc`)

/** The subscriptions of a webhook, locked in the order of their ids until the transaction ends. */
export const lockEventSubscriptionsOfWebhook = (
  tx: Tx,
  organization: string,
  webhook_id: string,
): Promise<EventSubscriptionRow[]> =>
  tx.query<EventSubscriptionRow>(sql`
    select ${columns} from event_subscriptions
    where organization_id = ${organization} and webhook_id = ${webhook_id}
    order by id for no key update`)

export const listEventSubscriptionsOfWebhook = (
  db: SqlStatementRunner,
  organization: string,
  webhook_id: string,
): Promise<EventSubscriptionRow[]> =>
  db.query<EventSubscriptionRow>(sql`
    select ${columns} from event_subscriptions
    where organization_id = ${organization} and webhook_id = ${webhook_id}`)

/** Writes the fields that a user sets. One that is activated or has another URL begins without a record of failures. */
export async function updateEventSubscription(
  tx: Tx,
  row: EventSubscriptionRow,
  now: OrganizationTime,
): Promise<EventSubscriptionRow> {
  const beginsAnew = sql`(${row.active} and not active or endpoint_url <> ${row.endpoint_url})`
  const [updated] = await tx.query<EventSubscriptionRow>(sql`
    update event_subscriptions
    set endpoint_url = ${row.endpoint_url}, filter_config = ${sql.json(row.filter_config)},
        sealed_headers = ${row.sealed_headers}, description = ${row.description},
        failure_count = case when ${beginsAnew} then 0 else failure_count end,
        failing_since = case when ${beginsAnew} then null else failing_since end,
        failure_warned_at = case when ${beginsAnew} then null else failure_warned_at end,
        held_until = case when ${beginsAnew} then null else held_until end,
        disabled_reason = case when ${row.active} then null else disabled_reason end,
        active = ${row.active}, updated_at = ${now}
    where organization_id = ${row.organization_id} and id = ${row.id}
    returning ${columns}`)
  return updated!
}

/** Replaces the signing secret. */
export async function updateEventSubscriptionSecret(
  tx: Tx,
  row: Pick<
    EventSubscriptionRow,
    'organization_id' | 'id' | 'sealed_secret' | 'previous_sealed_secret' | 'previous_secret_expires_at'
  >,
  now: OrganizationTime,
): Promise<EventSubscriptionRow> {
  const [updated] = await tx.query<EventSubscriptionRow>(sql`
    update event_subscriptions
    set sealed_secret = ${row.sealed_secret}, previous_sealed_secret = ${row.previous_sealed_secret},
        previous_secret_expires_at = ${row.previous_secret_expires_at}, updated_at = ${now}
    where organization_id = ${row.organization_id} and id = ${row.id}
    returning ${columns}`)
  return updated!
}

/** Deletes the subscription with its deliveries. */
export async function deleteEventSubscription(tx: Tx, organization: string, id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from event_subscriptions where organization_id = ${organization} and id = ${id} returning id`)
  return rows.length > 0
}
