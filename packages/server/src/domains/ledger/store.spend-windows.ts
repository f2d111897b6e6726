import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface MemberSpendRow {
  readonly created_at: Date
  readonly credits: number
}

/** The counted amount of a hold: its full amount while open, the settled amount after that. */
const countedCredits = sql`case when r.hold_id is null then h.amount_credits else r.settled_credits end`

const holdsOfMember = (organization: string, user: string) => sql`
  from credit_holds h
  left join credit_hold_resolutions r on r.organization_id = h.organization_id and r.hold_id = h.id
  where h.organization_id = ${organization} and h.user_id = ${user}`

/** Spend of a member after `start`, in credits; from `cut`, the next full hour, taken from hourly sums. */
export async function sumMemberSpend(
  db: SqlStatementRunner,
  organization: string,
  user: string,
  { start, cut }: { start: Date; cut: Date },
): Promise<number> {
  const [row] = await db.query<{ credits: number }>(
    sql.prepared(sql`
    select ((select coalesce(sum(credits), 0) from member_spend_hours
             where organization_id = ${organization} and user_id = ${user} and hour >= ${cut})
          + (select coalesce(sum(${countedCredits}), 0) ${holdsOfMember(organization, user)}
             and h.created_at > ${start} and h.created_at < ${cut}))::bigint as credits`),
  )
  return row?.credits ?? 0
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
    select h.created_at, ${countedCredits} as credits ${holdsOfMember(organization, user)}
      and h.created_at > ${start} and ${countedCredits} > 0
    order by h.created_at, h.id`),
  )
}
