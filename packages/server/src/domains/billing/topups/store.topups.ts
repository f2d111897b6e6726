import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

export type TopupKind = 'topup' | 'auto' | 'approval'

/** A purchase of credits by card. */
export interface TopupRow {
  readonly id: string
  readonly kind: TopupKind
  readonly credits: number
  readonly payment_method_id: string
  readonly approval_id: string | null
  /** The caller's idempotency key and the number of the attempt under it; both are part of the processor's key. */
  readonly idempotency_key: string | null
  readonly attempt: number
  readonly intent: string | null
  readonly state: 'starting' | 'action' | 'succeeded' | 'failed'
  readonly failure_code: string | null
  readonly entry_id: string | null
  readonly lot_id: string | null
  readonly refunded_credits: number
  readonly requested_by: string
  /** The member whose limits it counts against; null for automatic ones. */
  readonly user_id: string | null
  readonly created_at: Date
}

const columns = sql`
  id, kind, credits, payment_method_id, approval_id, idempotency_key, attempt, intent, state, failure_code, entry_id,
  lot_id, refunded_credits, requested_by, user_id, created_at`

export type NewTopup = Pick<
  TopupRow,
  | 'id'
  | 'kind'
  | 'credits'
  | 'payment_method_id'
  | 'approval_id'
  | 'idempotency_key'
  | 'attempt'
  | 'requested_by'
  | 'user_id'
  | 'created_at'
>

export async function insertTopup(tx: Tx, organization: string, row: NewTopup): Promise<TopupRow> {
  const [created] = await tx.query<TopupRow>(sql`
    insert into topups (organization_id, id, kind, credits, payment_method_id, approval_id, idempotency_key, attempt, state,
                        requested_by, user_id, created_at, updated_at)
    values (${organization}, ${row.id}, ${row.kind}, ${row.credits}, ${row.payment_method_id}, ${row.approval_id},
            ${row.idempotency_key}, ${row.attempt}, 'starting', ${row.requested_by}, ${row.user_id}, ${row.created_at},
            ${row.created_at})
    returning ${columns}`)
  return created!
}

export async function findTopup(db: SqlStatementRunner, organization: string, id: string): Promise<TopupRow | null> {
  const [row] = await db.query<TopupRow>(sql`
    select ${columns} from topups where organization_id = ${organization} and id = ${id}`)
  return row ?? null
}

/** The number of top-up attempts under one idempotency key of a caller. */
export async function countTopupAttempts(db: SqlStatementRunner, organization: string, key: string): Promise<number> {
  const [row] = await db.query<{ total: number }>(sql`
    select count(*) as total from topups where organization_id = ${organization} and idempotency_key = ${key}`)
  return row?.total ?? 0
}

export type TopupRowChange = Partial<Pick<TopupRow, 'state' | 'intent' | 'failure_code' | 'entry_id' | 'lot_id'>>

/** Updates a row if it is in one of the states `from`; otherwise returns null and writes nothing. */
export async function updateTopup(
  tx: SqlStatementRunner,
  {
    organization,
    id,
    from,
    change,
    at,
  }: {
    readonly organization: string
    readonly id: string
    readonly from: readonly TopupRow['state'][]
    readonly change: TopupRowChange
    readonly at: OrganizationTime
  },
): Promise<TopupRow | null> {
  const newValue = <Name extends keyof TopupRowChange>(name: Name): unknown => change[name] ?? null
  const [row] = await tx.query<TopupRow>(sql`
    update topups
    set state = coalesce(${newValue('state')}, state), intent = coalesce(${newValue('intent')}, intent),
        failure_code = coalesce(${newValue('failure_code')}, failure_code),
        entry_id = coalesce(${newValue('entry_id')}::uuid, entry_id), lot_id = coalesce(${newValue('lot_id')}::uuid, lot_id),
        updated_at = ${at}
    where organization_id = ${organization} and id = ${id} and state = any(${[...from]}::text[])
    returning ${columns}`)
  return row ?? null
}

/** The top-up of an approval; there is at most one. */
export async function findTopupOfApproval(
  db: SqlStatementRunner,
  organization: string,
  approval: string,
): Promise<TopupRow | null> {
  const [row] = await db.query<TopupRow>(sql`
    select ${columns} from topups where organization_id = ${organization} and approval_id = ${approval}`)
  return row ?? null
}

/** Adds to (or, if negative, subtracts from) the refunded credits; `updated_at` stays the time of payment. */
export async function updateTopupRefundedCredits(
  tx: Tx,
  organization: string,
  id: string,
  credits: number,
): Promise<void> {
  await tx.query(sql`
    update topups set refunded_credits = refunded_credits + ${credits}
    where organization_id = ${organization} and id = ${id}`)
}
