import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface MemberSpendRow {
  readonly created_at: Date
  readonly credits: number
}

/** The counted amount of a hold: its full amount while open, the settled amount after that. */
const countedCredits = sql`case when r.hold_id is null then h.amount_credits else r.settled_credits end`

const holdsOfMembers = (organization: string, users: readonly string[]) => sql`
  from credit_holds h
  left join credit_hold_resolutions r on r.organization_id = h.organization_id and r.hold_id = h.id
  where h.organization_id = ${organization} and h.user_id = any(${[...users]}::uuid[])`

/**
 * Spend of each member after `start`, in credits; from `cut`, the next full hour, taken from hourly sums. A member who has spent nothing
 * may be missing.
 */
export async function sumSpendByMember(
  db: SqlStatementRunner,
  organization: string,
  users: readonly string[],
  { start, cut }: { start: Date; cut: Date },
): Promise<Map<string, number>> {
  const rows = await db.query<{ user_id: string; credits: number }>(
    sql.prepared(sql`
    select s.user_id, sum(s.credits)::bigint as credits
    from (
      select user_id, credits from member_spend_hours
      where organization_id = ${organization} and user_id = any(${[...users]}::uuid[]) and hour >= ${cut}
      union all
      select h.user_id, ${countedCredits} ${holdsOfMembers(organization, users)}
        and h.created_at > ${start} and h.created_at < ${cut}) s
    group by s.user_id`),
  )
  return new Map(rows.map(({ user_id, credits }) => [user_id, credits]))
}

/** Total spend of an API key in credits; open holds count in full. */
export async function sumApiKeySpend(db: SqlStatementRunner, organization: string, api_key: string): Promise<number> {
  const [row] = await db.query<{ credits: number }>(sql`
    select credits from api_key_spending where organization_id = ${organization} and api_key_id = ${api_key}`)
  return row?.credits ?? 0
}

/** The counted holds of a member after `start`, oldest first. */
export async function listMemberSpend(
  db: SqlStatementRunner,
  organization: string,
  user: string,
  start: Date,
): Promise<MemberSpendRow[]> {
  return db.query<MemberSpendRow>(
    sql.prepared(sql`
    select h.created_at, ${countedCredits} as credits ${holdsOfMembers(organization, [user])}
      and h.created_at > ${start} and ${countedCredits} > 0
    order by h.created_at, h.id`),
  )
}
