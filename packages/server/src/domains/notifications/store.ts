import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

export interface NotificationRow {
  readonly id: string
  readonly user_id: string
  readonly event_id: string
  readonly kind: string
  readonly title: string
  readonly body: string
  readonly link: string
  readonly project_id: string | null
  readonly entity_type: string
  readonly entity_id: string
  readonly read_at: Date | null
  readonly created_at: Date
}

const columns = sql`
  id, user_id, event_id, kind, title, body, link, project_id, entity_type, entity_id, read_at, created_at`

export interface NewNotification extends Omit<NotificationRow, 'read_at'> {
  readonly is_in_app: boolean
  readonly email_id: string | null
  readonly digest_at: Date | null
}

/** Inserts the notifications of one event. */
export async function insertNotifications(
  tx: Tx,
  organization: string,
  rows: readonly NewNotification[],
): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map(
    (row) => sql`
      (${organization}::uuid, ${row.id}::uuid, ${row.user_id}::uuid, ${row.event_id}::uuid, ${row.kind}::text,
       ${row.title}::text, ${row.body}::text, ${row.link}::text, ${row.project_id}::uuid, ${row.entity_type}::text,
       ${row.entity_id}::text, ${row.is_in_app}::boolean, ${row.email_id}::uuid, ${row.digest_at}::timestamptz,
       ${row.created_at}::timestamptz)`,
  )
  await tx.query(sql`
    insert into notifications
      (organization_id, id, user_id, event_id, kind, title, body, link, project_id, entity_type, entity_id, is_in_app,
       email_id, digest_at, created_at)
    values ${sql.join(values, sql`, `)}`)
}

/** The notifications of a user in the console. */
export interface NotificationInboxScope {
  readonly organization: string
  readonly user: string
  /** Query of the projects that the user may read now. */
  readonly projects: Sql
}

const inInbox = ({ organization, user, projects }: NotificationInboxScope): Sql => sql`
  organization_id = ${organization} and user_id = ${user} and is_in_app and dismissed_at is null
  and (project_id is null or project_id in (${projects}))`

/** Newest first. */
export const listNotifications = (
  db: SqlStatementRunner,
  scope: NotificationInboxScope,
  { unread_only, limit, offset }: { readonly unread_only: boolean; readonly limit: number; readonly offset: number },
): Promise<RowPage<NotificationRow>> =>
  selectPage<NotificationRow>(db, {
    columns,
    from: sql`notifications`,
    where: sql`${inInbox(scope)} ${unread_only ? sql`and read_at is null` : sql.empty}`,
    orderBy: sql`created_at desc, id desc`,
    limit,
    offset,
  })

export async function countUnreadNotifications(db: SqlStatementRunner, scope: NotificationInboxScope): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from notifications where ${inInbox(scope)} and read_at is null`)
  return row?.count ?? 0
}

/** Marks one notification as read, or all that are not if `id` is null; returns how many it found. */
export async function markNotificationsRead(
  tx: Tx,
  scope: NotificationInboxScope,
  id: string | null,
  now: OrganizationTime,
): Promise<number> {
  const rows = await tx.query(sql`
    update notifications set read_at = coalesce(read_at, ${now}::timestamptz)
    where ${inInbox(scope)} and ${id === null ? sql`read_at is null` : sql`id = ${id}`}
    returning id`)
  return rows.length
}

/** Removes the notification from the inbox; false if it is not there. */
export async function markNotificationDismissed(
  tx: Tx,
  scope: NotificationInboxScope,
  id: string,
  now: OrganizationTime,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update notifications set dismissed_at = ${now}, read_at = coalesce(read_at, ${now}::timestamptz)
    where ${inInbox(scope)} and id = ${id}
    returning id`)
  return rows.length > 0
}
