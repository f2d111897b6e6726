import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import { sql } from '../../platform/database/sql.ts'

/** An adjustment of a wallet that one operator requests and another one decides. */
export interface CreditAdjustmentRow {
  readonly id: string
  readonly organization_id: string
  readonly amount_credits: number
  readonly reason: string
  readonly status: 'pending' | 'approved' | 'rejected'
  readonly requested_by: string
  readonly requested_at: Date
  readonly decided_by: string | null
  readonly decided_at: Date | null
  readonly decision_reason: string | null
  readonly transaction_id: string | null
}

const columns = sql`id, organization_id, amount_credits, reason, status, requested_by, requested_at, decided_by, decided_at,
  decision_reason, transaction_id`

/** Needs the unscoped connection, as all functions of this file: adjustments are the operators'. */
export async function insertCreditAdjustment(
  tx: Tx,
  row: Pick<
    CreditAdjustmentRow,
    'id' | 'organization_id' | 'amount_credits' | 'reason' | 'requested_by' | 'requested_at'
  >,
): Promise<void> {
  await tx.query(sql`
    insert into credit_adjustments (id, organization_id, amount_credits, reason, status, requested_by, requested_at)
    values (${row.id}, ${row.organization_id}, ${row.amount_credits}, ${row.reason}, 'pending', ${row.requested_by},
            ${row.requested_at})`)
}

export async function findCreditAdjustment(
  unscoped: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<CreditAdjustmentRow | null> {
  const [row] = await unscoped.query<CreditAdjustmentRow>(sql`
    select ${columns} from credit_adjustments where organization_id = ${organization} and id = ${id}`)
  return row ?? null
}

/** False if it is not pending any more. */
export async function markCreditAdjustmentDecided(
  tx: Tx,
  decision: Pick<
    CreditAdjustmentRow,
    'id' | 'organization_id' | 'status' | 'decided_by' | 'decided_at' | 'decision_reason' | 'transaction_id'
  >,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update credit_adjustments
    set status = ${decision.status}, decided_by = ${decision.decided_by}, decided_at = ${decision.decided_at},
        decision_reason = ${decision.decision_reason}, transaction_id = ${decision.transaction_id}
    where organization_id = ${decision.organization_id} and id = ${decision.id} and status = 'pending'
    returning id`)
  return rows.length > 0
}

/** Locks a pending adjustment until the end of the transaction; false if it is not pending any more. */
export async function lockPendingCreditAdjustment(tx: Tx, organization: string, id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select id from credit_adjustments
    where organization_id = ${organization} and id = ${id} and status = 'pending' for update`)
  return rows.length > 0
}

/** Adjustments of all organizations or of one, newest first. */
export const listCreditAdjustments = (
  unscoped: SqlStatementRunner,
  filter: {
    readonly organization: string | null
    readonly status: CreditAdjustmentRow['status'] | null
    readonly limit: number
    readonly offset: number
  },
): Promise<RowPage<CreditAdjustmentRow>> =>
  selectPage<CreditAdjustmentRow>(unscoped, {
    columns,
    from: sql`credit_adjustments`,
    where: sql`(${filter.organization}::uuid is null or organization_id = ${filter.organization})
      and (${filter.status}::text is null or status = ${filter.status})`,
    orderBy: sql`requested_at desc, id desc`,
    limit: filter.limit,
    offset: filter.offset,
  })
