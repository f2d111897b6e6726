import type { NotificationAudience } from '@swath/contract/notification-kinds.ts'
import type { NotificationEmailMode } from '@swath/contract/schemas/notification.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

/** The fields of an event that its notification needs. */
export interface NotifiedEventRow {
  readonly id: string
  readonly entity_type: string
  readonly entity_id: string
  /** The name of an order; null for other entities. */
  readonly entity_name: string | null
  readonly project_id: string | null
  readonly data: Readonly<Record<string, unknown>>
}

export async function findNotifiedEvent(tx: Tx, organization: string, id: string): Promise<NotifiedEventRow | null> {
  const [row] = await tx.query<NotifiedEventRow>(sql`
    select e.id, e.entity_type, e.entity_id, o.display_name as entity_name, e.project_id, e.data
    from events e
    left join orders o on o.organization_id = e.organization_id
      and o.id = case when e.entity_type = 'order' then e.entity_id::uuid end
    where e.organization_id = ${organization} and e.id = ${id}`)
  return row ?? null
}

/** A member and what the member has chosen for a kind; null where nothing was chosen. */
export interface NotificationRecipientRow {
  readonly user_id: string
  readonly in_app: boolean | null
  readonly email: NotificationEmailMode | null
}

/** The member `m` may read the project; a deleted project has no readers. */
const readsProject = (organization: string, project: Sql): Sql => sql`(
  exists (select 1 from projects p where p.organization_id = ${organization} and p.id = ${project} and p.deleted_at is null)
  and (m.role in ('owner', 'admin') or exists (
    select 1 from project_members pm
    where pm.organization_id = ${organization} and pm.project_id = ${project} and pm.user_id = m.user_id)))`

const audienceConditions: Readonly<
  Record<NotificationAudience, (organization: string, event: NotifiedEventRow, creator: string | null) => Sql>
> = {
  project: (organization, { project_id }) => readsProject(organization, sql`${project_id}::uuid`),
  creator: (organization, event, creator) => sql`
    m.user_id::text = ${creator} and ${readsProject(organization, sql`${event.project_id}::uuid`)}`,
  billing: () => sql`m.role in ('owner', 'admin', 'billing')`,
  admins: () => sql`m.role in ('owner', 'admin')`,
  named: (_, { data }) => sql`m.user_id::text = ${String(data['user_id'])}`,
}

export interface NotificationRecipientFilter {
  readonly kind: string
  readonly audience: NotificationAudience
  /** The user who created the entity of the event; null if it is not the audience or is unknown. */
  readonly creator: string | null
}

/** The members who are notified of an event, with their preferences for the kind. */
export const listNotificationRecipients = (
  tx: Tx,
  organization: string,
  event: NotifiedEventRow,
  { kind, audience, creator }: NotificationRecipientFilter,
): Promise<NotificationRecipientRow[]> =>
  tx.query<NotificationRecipientRow>(sql`
    select m.user_id, chosen.in_app, chosen.email
    from memberships m
    left join notification_preferences chosen
      on chosen.organization_id = m.organization_id and chosen.user_id = m.user_id and chosen.kind = ${kind}
    where m.organization_id = ${organization} and ${audienceConditions[audience](organization, event, creator)}
    order by m.user_id`)

export interface NotificationPreferenceRow {
  readonly kind: string
  readonly in_app: boolean
  readonly email: NotificationEmailMode
}

/** The preferences that a user has set. */
export const listNotificationPreferences = (
  db: SqlStatementRunner,
  organization: string,
  user: string,
): Promise<NotificationPreferenceRow[]> =>
  db.query<NotificationPreferenceRow>(sql`
    select kind, in_app, email from notification_preferences
    where organization_id = ${organization} and user_id = ${user}`)

export async function upsertNotificationPreference(
  tx: Tx,
  { organization, user }: { readonly organization: string; readonly user: string },
  { kind, in_app, email }: NotificationPreferenceRow,
  now: OrganizationTime,
): Promise<void> {
  await tx.query(sql`
    insert into notification_preferences (organization_id, user_id, kind, in_app, email, updated_at)
    values (${organization}, ${user}, ${kind}, ${in_app}, ${email}, ${now})
    on conflict (organization_id, user_id, kind) do update
      set in_app = excluded.in_app, email = excluded.email, updated_at = excluded.updated_at`)
}

/** The address of a member; null for a user who has left the organization. */
export async function findRecipientAddress(
  db: SqlStatementRunner,
  organization: string,
  user: string,
): Promise<{ email: string; name: string | null } | null> {
  const [row] = await db.query<{ email: string; name: string | null }>(sql`
    select m.email, m.name from memberships m where m.organization_id = ${organization} and m.user_id = ${user}`)
  return row ?? null
}

/** The ids, among those of one user, whose project the user may read now; those of the organization as well. */
export async function listStillReadableNotifications(
  db: SqlStatementRunner,
  organization: string,
  user: string,
  notifications: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select n.id from notifications n
    join memberships m on m.organization_id = n.organization_id and m.user_id = n.user_id
    where n.organization_id = ${organization} and n.user_id = ${user} and n.id = any(${notifications}::uuid[])
      and (n.project_id is null or ${readsProject(organization, sql`n.project_id`)})`)
  return rows.map(({ id }) => id)
}

/** Deletes the notifications of a user who deletes the account, and what the user has chosen for them. */
export async function deleteNotificationsOfUser(tx: Tx, organization: string, user: string): Promise<void> {
  await tx.query(sql`
    delete from notification_preferences where organization_id = ${organization} and user_id = ${user}`)
  await tx.query(sql`delete from notifications where organization_id = ${organization} and user_id = ${user}`)
}
