import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** The daily limit in cents that an owner has set; null for the default. */
export async function findDailyTopupLimit(db: SqlStatementRunner, organization: string): Promise<number | null> {
  const [row] = await db.query<{ limit_cents: number }>(sql`
    select limit_cents from daily_topup_limits where organization_id = ${organization}`)
  return row?.limit_cents ?? null
}

export async function upsertDailyTopupLimit(
  tx: Tx,
  organization: string,
  { limit_cents, by, at }: { readonly limit_cents: number; readonly by: string; readonly at: OrganizationTime },
): Promise<void> {
  await tx.query(sql`
    insert into daily_topup_limits (organization_id, limit_cents, updated_by, updated_at)
    values (${organization}, ${limit_cents}, ${by}, ${at})
    on conflict (organization_id) do update
      set limit_cents = excluded.limit_cents, updated_by = excluded.updated_by, updated_at = excluded.updated_at`)
}

/** The sum that cards were charged for credits since a time, in cents; top-ups in progress count as charged. */
export async function sumTopupsSince(db: SqlStatementRunner, organization: string, since: Date): Promise<number> {
  const [row] = await db.query<{ cents: number }>(sql`
    select coalesce(sum(credits), 0)::bigint as cents from topups
    where organization_id = ${organization} and state <> 'failed' and created_at >= ${since}`)
  return row!.cents
}

/** The credits that an API key has bought in all its time. */
export async function sumTopupsOfApiKey(
  db: SqlStatementRunner,
  organization: string,
  api_key: string,
): Promise<number> {
  const [row] = await db.query<{ credits: number }>(sql`
    select coalesce(sum(credits), 0)::bigint as credits from topups
    where organization_id = ${organization} and requested_by = ${api_key} and state <> 'failed'`)
  return row!.credits
}

/** The top-ups of a member after a time, oldest first, with those of the member's API keys. */
export async function listTopupsOfMember(
  db: SqlStatementRunner,
  organization: string,
  user: string,
  after: Date,
): Promise<{ created_at: Date; credits: number }[]> {
  return db.query<{ created_at: Date; credits: number }>(sql`
    select created_at, credits from topups
    where organization_id = ${organization} and user_id = ${user} and state <> 'failed' and created_at > ${after}
    order by created_at, id`)
}
