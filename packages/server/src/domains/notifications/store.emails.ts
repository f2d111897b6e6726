import type { OrganizationTime, ProcessClockTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import type { DueRowsQuery } from '../../platform/sandbox/due-rows.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

export interface NotificationEmailRow {
  readonly id: string
  readonly user_id: string
  /** A kind of notification, or `digest`. */
  readonly kind: string
  readonly attempts: number
  readonly attachments: readonly EmailAttachment[]
  readonly created_at: Date
}

/** A file of the blob store that an e-mail brings. */
export interface EmailAttachment {
  readonly blob_path: string
  readonly file_name: string
  readonly media_type: string
  readonly size_bytes: number
}

const columns = sql`id, user_id, kind, attempts, attachments, created_at`

/** Adds e-mails that are due at once. */
export async function insertEmails(
  tx: Tx,
  organization: string,
  rows: readonly Pick<NotificationEmailRow, 'id' | 'user_id' | 'kind'>[],
  now: OrganizationTime,
): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map(
    ({ id, user_id, kind }) => sql`
      (${organization}::uuid, ${id}::uuid, ${user_id}::uuid, ${kind}::text, 'pending', ${now}::timestamptz,
       ${now}::timestamptz)`,
  )
  await tx.query(sql`
    insert into emails (organization_id, id, user_id, kind, state, next_attempt_at, created_at)
    values ${sql.join(values, sql`, `)}`)
}

/** Adds files to the pending e-mails about an entity. A file that is deleted before the e-mail is sent is left out. */
export async function updateEmailAttachments(
  tx: Tx,
  organization: string,
  { type, id }: { readonly type: string; readonly id: string },
  attachments: readonly EmailAttachment[],
): Promise<void> {
  await tx.query(sql`
    update emails set attachments = ${sql.json(attachments)}
    where organization_id = ${organization} and state = 'pending' and id in (
      select n.email_id from notifications n
      where n.organization_id = ${organization} and n.entity_type = ${type} and n.entity_id = ${id})`)
}

/** No process is sending the e-mail. */
const isFree = (processTime: ProcessClockTime): Sql =>
  sql`(lease_until is null or lease_until <= ${processTime}::timestamptz)`

export interface EmailAttemptClaim {
  readonly now: OrganizationTime
  /** The time when it is due again if this attempt is lost, once its lease has ended, too. */
  readonly next_attempt_at: OrganizationTime
  readonly lease: { readonly now: ProcessClockTime; readonly until: ProcessClockTime }
}

/**
 * Begins an attempt, unless another process has begun one or the e-mail is not due. Until the lease ends no other process begins
 * one; after that this one is considered lost.
 */
export async function claimNotificationEmail(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  { now, next_attempt_at, lease }: EmailAttemptClaim,
): Promise<NotificationEmailRow | null> {
  const [row] = await db.query<NotificationEmailRow>(sql`
    update emails set attempts = attempts + 1, next_attempt_at = ${next_attempt_at}, lease_until = ${lease.until}
    where organization_id = ${organization} and id = ${id} and next_attempt_at <= ${now} and ${isFree(lease.now)}
    returning ${columns}`)
  return row ?? null
}

export interface EmailAttemptResult {
  readonly state: 'sent' | 'failed' | 'cancelled'
  readonly recipient: string | null
  readonly error: string | null
  readonly finished_at: OrganizationTime
}

/** Ends the attempt with this number; a later one of another process stays as it is. */
export async function markEmailAttemptFinished(
  db: SqlStatementRunner,
  organization: string,
  { id, attempts }: Pick<NotificationEmailRow, 'id' | 'attempts'>,
  { state, recipient, error, finished_at }: EmailAttemptResult,
): Promise<void> {
  await db.query(sql`
    update emails set state = ${state}, recipient = ${recipient}, error = ${error}, next_attempt_at = null,
                      lease_until = null, finished_at = ${finished_at}
    where organization_id = ${organization} and id = ${id} and attempts = ${attempts} and state = 'pending'`)
}

export async function markEmailPostponed(
  db: SqlStatementRunner,
  organization: string,
  { id, attempts }: Pick<NotificationEmailRow, 'id' | 'attempts'>,
  { error, next_attempt_at }: { readonly error: string; readonly next_attempt_at: OrganizationTime },
): Promise<void> {
  await db.query(sql`
    update emails set error = ${error}, next_attempt_at = ${next_attempt_at}, lease_until = null
    where organization_id = ${organization} and id = ${id} and attempts = ${attempts} and state = 'pending'`)
}

export interface MailedNotification {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly body: string
  readonly link: string
  readonly is_closed: boolean
  readonly entity_id: string
  /** The name of an order; null for other entities. */
  readonly entity_name: string | null
  /** The data of its event; null if that is no longer kept. */
  readonly data: Readonly<Record<string, unknown>> | null
}

/** The notifications of an e-mail, oldest first; a closed one was read or dismissed. */
export const listMailedNotifications = (
  db: SqlStatementRunner,
  organization: string,
  email: string,
): Promise<MailedNotification[]> =>
  db.query<MailedNotification>(sql`
    select n.id, n.kind, n.title, n.body, n.link, (n.read_at is not null or n.dismissed_at is not null) as is_closed,
      n.entity_id, o.display_name as entity_name, e.data
    from notifications n
    left join events e on e.organization_id = n.organization_id and e.id = n.event_id
    left join orders o on o.organization_id = n.organization_id
      and o.id = case when n.entity_type = 'order' then n.entity_id::uuid end
    where n.organization_id = ${organization} and n.email_id = ${email}
    order by n.created_at, n.id`)

/** Users with notifications for a daily e-mail that is due. */
export async function listDueDigests(
  db: SqlStatementRunner,
  organization: string,
  now: OrganizationTime,
): Promise<string[]> {
  const rows = await db.query<{ user_id: string }>(sql`
    select distinct user_id from notifications where organization_id = ${organization} and digest_at <= ${now}
    order by user_id`)
  return rows.map(({ user_id }) => user_id)
}

/** Puts the notifications of a user that are due into an e-mail; returns how many they are. */
export async function markEmailsDigested(
  tx: Tx,
  organization: string,
  { user, email, now }: { readonly user: string; readonly email: string; readonly now: OrganizationTime },
): Promise<number> {
  const rows = await tx.query(sql`
    update notifications set email_id = ${email}, digest_at = null
    where organization_id = ${organization} and user_id = ${user} and digest_at <= ${now}
    returning id`)
  return rows.length
}

/** Ids of e-mails that are due, those that wait longest first. */
export async function listDueEmails(
  db: SqlStatementRunner,
  organization: string,
  { now, processTime }: { readonly now: OrganizationTime; readonly processTime: ProcessClockTime },
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from emails
    where organization_id = ${organization} and next_attempt_at <= ${now} and ${isFree(processTime)}
    order by next_attempt_at, id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** The rows of e-mails and daily e-mails that are due. */
export const dueEmailRows = (organization: string, processTime: ProcessClockTime): readonly DueRowsQuery[] => [
  {
    from: sql`emails`,
    where: sql`organization_id = ${organization} and ${isFree(processTime)}`,
    at: sql`next_attempt_at`,
  },
  { from: sql`notifications`, where: sql`organization_id = ${organization}`, at: sql`digest_at` },
]
