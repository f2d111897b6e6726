import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

export type TopupApprovalStatus = 'pending' | 'approved' | 'rejected' | 'expired' | 'charge_failed' | 'completed'

/** A request for a top-up that another user approves or rejects. */
export interface TopupApprovalRow {
  readonly id: string
  readonly credits: number
  /** Computed at read time: an overdue pending request is `expired`, even if the row is not updated yet. */
  readonly status: TopupApprovalStatus
  readonly requested_by: string
  readonly decided_by: string | null
  readonly reason: string | null
  readonly expires_at: Date
  readonly decided_at: Date | null
  readonly created_at: Date
}

const statusAt = (now: OrganizationTime) =>
  sql`case when status = 'pending' and expires_at <= ${now} then 'expired' else status end`
const columns = (now: OrganizationTime) => sql`
  id, credits, ${statusAt(now)} as status, requested_by, decided_by, reason, expires_at, decided_at, created_at`

export type NewTopupApproval = Pick<TopupApprovalRow, 'id' | 'credits' | 'requested_by' | 'expires_at' | 'created_at'>

export async function insertTopupApproval(tx: Tx, organization: string, row: NewTopupApproval): Promise<void> {
  await tx.query(sql`
    insert into topup_approvals (organization_id, id, credits, status, requested_by, expires_at, created_at)
    values (${organization}, ${row.id}, ${row.credits}, 'pending', ${row.requested_by}, ${row.expires_at}, ${row.created_at})`)
}

export async function findTopupApproval(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  now: OrganizationTime,
): Promise<TopupApprovalRow | null> {
  const [row] = await db.query<TopupApprovalRow>(sql`
    select ${columns(now)} from topup_approvals where organization_id = ${organization} and id = ${id}`)
  return row ?? null
}

/** Newest first. */
export async function listTopupApprovals(
  db: SqlStatementRunner,
  organization: string,
  filter: { status: TopupApprovalStatus | null; requested_by: string | null; limit: number },
  now: OrganizationTime,
): Promise<TopupApprovalRow[]> {
  return db.query<TopupApprovalRow>(sql`
    select ${columns(now)} from topup_approvals
    where organization_id = ${organization} and (${filter.status}::text is null or ${statusAt(now)} = ${filter.status})
      and (${filter.requested_by}::text is null or requested_by = ${filter.requested_by})
    order by created_at desc, id desc limit ${filter.limit}`)
}

/** A decision of a user, or the expiry. */
export interface TopupApprovalDecision {
  readonly status: TopupApprovalStatus
  readonly by: string | null
  readonly reason?: string | null
}

/** Records a decision if the request is still pending. */
export async function markTopupApprovalDecided(
  tx: Tx,
  { organization, id }: { readonly organization: string; readonly id: string },
  { status, by, reason = null }: TopupApprovalDecision,
  at: OrganizationTime,
): Promise<void> {
  await tx.query(sql`
    update topup_approvals set status = ${status}, decided_by = ${by}, reason = ${reason}, decided_at = ${at}
    where organization_id = ${organization} and id = ${id} and status = 'pending'`)
}

/** Records the result of the charge of an approval. */
export async function markTopupApprovalClosed(
  tx: Tx,
  organization: string,
  id: string,
  status: 'completed' | 'charge_failed',
): Promise<void> {
  await tx.query(sql`
    update topup_approvals set status = ${status}
    where organization_id = ${organization} and id = ${id} and status in ('approved', 'charge_failed')`)
}
