import type { SupportAccessState } from '@swath/contract/schemas/operators/support-access.ts'
import type { ProcessClockTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../../platform/database/select-page.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'

export interface SupportAccessRow {
  readonly organization_id: string
  readonly id: string
  readonly operator_id: string
  readonly operator_email: string
  readonly reason: string
  readonly hours: number
  /** One that is `requested` or `granted` may have expired. */
  readonly status: Exclude<SupportAccessState, 'expired'>
  readonly requested_at: Date
  readonly decided_by: string | null
  readonly decided_at: Date | null
  /** Of a request, until when it can be granted. */
  readonly expires_at: Date
  readonly ended_by: string | null
  readonly ended_at: Date | null
}

const columns = sql`a.organization_id, a.id, a.operator_id, a.operator_email, a.reason, a.hours, a.status, a.requested_at, a.decided_by,
  a.decided_at, a.expires_at, a.ended_by, a.ended_at`

export type NewSupportAccess = Pick<
  SupportAccessRow,
  'organization_id' | 'id' | 'operator_id' | 'operator_email' | 'reason' | 'hours' | 'requested_at' | 'expires_at'
>

/** False if a request of the operator waits for its decision. */
export async function insertSupportAccess(tx: Tx, row: NewSupportAccess): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into support_accesses (organization_id, id, operator_id, operator_email, reason, hours, status, requested_at, expires_at)
    values (${row.organization_id}, ${row.id}, ${row.operator_id}, ${row.operator_email}, ${row.reason}, ${row.hours},
            'requested', ${row.requested_at}, ${row.expires_at})
    on conflict (organization_id, operator_id) where status = 'requested' do nothing
    returning id`)
  return rows.length > 0
}

/** Removes the request of an operator whose time is over: nobody has decided it, and nobody can. */
export async function deleteExpiredSupportRequest(
  tx: Tx,
  organization: string,
  operator: string,
  at: ProcessClockTime,
): Promise<void> {
  await tx.query(sql`
    delete from support_accesses
    where organization_id = ${organization} and operator_id = ${operator} and status = 'requested' and expires_at <= ${at}`)
}

/** Locked until the end of the transaction. */
export async function lockSupportAccess(tx: Tx, organization: string, id: string): Promise<SupportAccessRow | null> {
  const [row] = await tx.query<SupportAccessRow>(sql`
    select ${columns} from support_accesses a where a.organization_id = ${organization} and a.id = ${id} for update of a`)
  return row ?? null
}

const stateConditions = (at: ProcessClockTime): Readonly<Record<SupportAccessState, Sql>> => ({
  requested: sql`a.status = 'requested' and a.expires_at > ${at}`,
  granted: sql`a.status = 'granted' and a.expires_at > ${at}`,
  refused: sql`a.status = 'refused'`,
  ended: sql`a.status = 'ended'`,
  expired: sql`a.status in ('requested', 'granted') and a.expires_at <= ${at}`,
})

/** The access that an operator has in an organization at a time, the one that ends last; null without one. */
export async function findActiveSupportAccess(
  db: SqlStatementRunner,
  organization: string,
  operator: string,
  at: ProcessClockTime,
): Promise<SupportAccessRow | null> {
  const [row] = await db.query<SupportAccessRow>(sql`
    select ${columns} from support_accesses a
    where a.organization_id = ${organization} and a.operator_id = ${operator} and ${stateConditions(at).granted}
    order by a.expires_at desc limit 1`)
  return row ?? null
}

/** True if an access was granted, has not ended and is not over. */
export async function isSupportAccessActive(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  at: ProcessClockTime,
): Promise<boolean> {
  const rows = await db.query(sql`
    select a.id from support_accesses a
    where a.organization_id = ${organization} and a.id = ${id} and ${stateConditions(at).granted}`)
  return rows.length > 0
}

/** Writes the decision, or the end, of an access, which the caller has locked. */
export async function updateSupportAccess(tx: Tx, row: SupportAccessRow): Promise<void> {
  await tx.query(sql`
    update support_accesses
    set status = ${row.status}, hours = ${row.hours}, decided_by = ${row.decided_by}, decided_at = ${row.decided_at},
        expires_at = ${row.expires_at}, ended_by = ${row.ended_by}, ended_at = ${row.ended_at}
    where organization_id = ${row.organization_id} and id = ${row.id}`)
}

export interface SupportAccessFilter {
  /** Null for all organizations, which needs the unscoped connection. */
  readonly organization: string | null
  readonly state: SupportAccessState | null
  readonly at: ProcessClockTime
  readonly limit: number
  readonly offset: number
}

/** Newest first. */
export const listSupportAccesses = (
  db: SqlStatementRunner,
  { organization, state, at, limit, offset }: SupportAccessFilter,
): Promise<RowPage<SupportAccessRow>> =>
  selectPage<SupportAccessRow>(db, {
    columns,
    from: sql`support_accesses a`,
    where: sql`${organization === null ? sql`true` : sql`a.organization_id = ${organization}`}
      and ${state === null ? sql`true` : stateConditions(at)[state]}`,
    orderBy: sql`a.requested_at desc, a.id desc`,
    limit,
    offset,
  })
