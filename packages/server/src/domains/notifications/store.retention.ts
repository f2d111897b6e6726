import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import type { DueRowsQuery } from '../../platform/sandbox/due-rows.ts'
import { sql } from '../../platform/database/sql.ts'

interface Expiry {
  readonly organization: string
  readonly before: OrganizationTime
  /** The oldest, at most so many. */
  readonly limit: number
}

/** Deletes notifications of a time, read or not; returns how many. */
export async function deleteOldNotifications(
  db: SqlStatementRunner,
  { organization, before, limit }: Expiry,
): Promise<number> {
  const rows = await db.query(sql`
    delete from notifications
    where organization_id = ${organization} and id in (
      select id from notifications
      where organization_id = ${organization} and created_at <= ${before}
      order by created_at
      limit ${limit})
    returning id`)
  return rows.length
}

/** Deletes e-mails that were sent or abandoned before a time; returns how many. */
export async function deleteOldEmails(
  db: SqlStatementRunner,
  { organization, before, limit }: Expiry,
): Promise<number> {
  const rows = await db.query(sql`
    delete from emails
    where organization_id = ${organization} and id in (
      select id from emails
      where organization_id = ${organization} and finished_at <= ${before}
      order by finished_at
      limit ${limit})
    returning id`)
  return rows.length
}

/** The rows of notifications, and of ended e-mails, that are due for deletion. */
export const dueNotificationRetentionRows = (organization: string, kept_ms: number): readonly DueRowsQuery[] => [
  { from: sql`notifications`, where: sql`organization_id = ${organization}`, at: sql`created_at`, delay_ms: kept_ms },
  { from: sql`emails`, where: sql`organization_id = ${organization}`, at: sql`finished_at`, delay_ms: kept_ms },
]
