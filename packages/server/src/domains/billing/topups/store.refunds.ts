import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** A refund of unspent credits of one top-up. */
export interface TopupRefundRow {
  readonly id: string
  readonly topup_id: string
  readonly credits: number
  /** The journal entry of the reversal; its id is the idempotency key of the refund request. */
  readonly entry_id: string
  readonly processor_refund: string | null
  /** `starting`: the credits are reversed, and the refund is being requested. */
  readonly state: 'starting' | 'succeeded' | 'failed'
  readonly reason: string | null
  readonly requested_by: string
  readonly created_at: Date
}

const columns = sql`
  id, topup_id, credits, entry_id, processor_refund, state, reason, requested_by, created_at`

export async function insertTopupRefund(
  tx: Tx,
  organization: string,
  row: Omit<TopupRefundRow, 'processor_refund' | 'state'>,
): Promise<void> {
  await tx.query(sql`
    insert into payment_refunds
      (organization_id, id, topup_id, credits, entry_id, state, reason, requested_by, created_at, updated_at)
    values (${organization}, ${row.id}, ${row.topup_id}, ${row.credits}, ${row.entry_id}, 'starting', ${row.reason},
            ${row.requested_by}, ${row.created_at}, ${row.created_at})`)
}

export async function findTopupRefund(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<TopupRefundRow | null> {
  const [row] = await db.query<TopupRefundRow>(sql`
    select ${columns} from payment_refunds where organization_id = ${organization} and id = ${id}`)
  return row ?? null
}

/** Closes a refund that is in progress; returns false if it has already ended. */
export async function markTopupRefundClosed(
  tx: Tx,
  {
    organization,
    id,
    outcome,
    at,
  }: {
    readonly organization: string
    readonly id: string
    readonly outcome: { readonly state: 'succeeded' | 'failed'; readonly processor_refund: string | null }
    readonly at: OrganizationTime
  },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update payment_refunds set state = ${outcome.state}, processor_refund = ${outcome.processor_refund}, updated_at = ${at}
    where organization_id = ${organization} and id = ${id} and state = 'starting'
    returning id`)
  return rows.length > 0
}
