import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

export interface WebhookRow {
  readonly organization_id: string
  readonly id: string
  readonly project_id: string
  readonly name: string
  readonly url: string
  readonly events: readonly string[]
  readonly created_by: string | null
  /** The API key with which its user created it, if any. */
  readonly created_by_key: string | null
  readonly created_at: Date
  readonly updated_at: Date
  /** One of its subscriptions is. */
  readonly active: boolean
}

/** The webhooks of a project that a caller manages. */
export interface ManagedWebhookFilter {
  readonly organization: string
  readonly project: string
  /** Only webhooks that this user created; null for all. */
  readonly creator: string | null
}

const columns = sql`
  w.organization_id, w.id, w.project_id, w.name, w.url, w.events, w.created_by, w.created_by_key, w.created_at, w.updated_at,
  exists (
    select 1 from event_subscriptions s
    where s.organization_id = w.organization_id and s.webhook_id = w.id and s.active) as active`

const within = ({ organization, project, creator }: ManagedWebhookFilter): Sql => sql`
  w.organization_id = ${organization} and w.project_id = ${project}
  and (${creator}::uuid is null or w.created_by = ${creator}::uuid)`

export async function insertWebhook(
  tx: Tx,
  row: Omit<WebhookRow, 'created_at' | 'updated_at' | 'active'>,
  now: OrganizationTime,
): Promise<void> {
  await tx.query(sql`
    insert into webhooks (organization_id, id, project_id, name, url, events, created_by, created_by_key, created_at,
                          updated_at)
    values (${row.organization_id}, ${row.id}, ${row.project_id}, ${row.name}, ${row.url}, ${[...row.events]}::text[],
            ${row.created_by}, ${row.created_by_key}, ${now}, ${now})`)
}

/** Newest first. */
export const listWebhooks = (db: SqlStatementRunner, scope: ManagedWebhookFilter): Promise<WebhookRow[]> =>
  db.query<WebhookRow>(sql`
    select ${columns} from webhooks w where ${within(scope)} order by w.created_at desc, w.id desc`)

/** With `lock` the row is locked until the transaction ends. */
export async function findWebhook(
  db: SqlStatementRunner,
  scope: ManagedWebhookFilter,
  id: string,
  lock = false,
): Promise<WebhookRow | null> {
  const [row] = await db.query<WebhookRow>(sql`
    select ${columns} from webhooks w where ${within(scope)} and w.id = ${id}
    ${lock ? sql`for no key update of w` : sql.empty}`)
  return row ?? null
}

export async function updateWebhook(
  tx: Tx,
  row: Pick<WebhookRow, 'organization_id' | 'id' | 'name' | 'url' | 'events'>,
  now: OrganizationTime,
): Promise<void> {
  await tx.query(sql`
    update webhooks set name = ${row.name}, url = ${row.url}, events = ${[...row.events]}::text[], updated_at = ${now}
    where organization_id = ${row.organization_id} and id = ${row.id}`)
}

/** Deletes the webhook with its subscriptions and their deliveries. */
export async function deleteWebhook(tx: Tx, organization: string, id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from webhooks where organization_id = ${organization} and id = ${id} returning id`)
  return rows.length > 0
}
