import type { Tx } from '../../../database/database.ts'
import type { OrganizationCurrentTimes } from '../../../clock.ts'
import { dueCondition } from '../../../database/due-condition.ts'
import { sql, type Sql } from '../../../database/sql.ts'
import type { PaymentIntentStatus } from '../payments.ts'

export interface PaymentIntentRow {
  readonly id: string
  readonly organization_id: string
  readonly customer: string
  readonly payment_method: string
  readonly amount_cents: number
  readonly captured_cents: number
  readonly refunded_cents: number
  readonly capture: 'automatic' | 'manual'
  readonly status: PaymentIntentStatus
  readonly client_secret: string
  readonly capture_before: Date | null
  readonly decline_code: string | null
  readonly cancelled_because: 'requested' | 'expired' | null
  readonly metadata: Readonly<Record<string, string>>
  readonly created_at: Date
}

export interface PaymentProcessorDisputeRow {
  readonly id: string
  readonly intent: string
  readonly amount_cents: number
  readonly status: 'open' | 'won' | 'lost'
}

const intentColumns = sql`id, organization_id, customer, payment_method, amount_cents, captured_cents, refunded_cents, capture, status,
  client_secret, capture_before, decline_code, cancelled_because, metadata, created_at`

export async function insertPaymentIntent(tx: Tx, row: PaymentIntentRow): Promise<void> {
  await tx.query(sql`
    insert into processor_intents (${intentColumns})
    values (${row.id}, ${row.organization_id}, ${row.customer}, ${row.payment_method}, ${row.amount_cents}, ${row.captured_cents},
            ${row.refunded_cents}, ${row.capture}, ${row.status}, ${row.client_secret}, ${row.capture_before},
            ${row.decline_code}, ${row.cancelled_because}, ${sql.json(row.metadata)}, ${row.created_at})`)
}

/** Updates the columns of an intent that may change. */
export async function updatePaymentIntentRow(tx: Tx, row: PaymentIntentRow): Promise<void> {
  await tx.query(sql`
    update processor_intents
    set captured_cents = ${row.captured_cents}, refunded_cents = ${row.refunded_cents}, status = ${row.status},
        capture_before = ${row.capture_before}, decline_code = ${row.decline_code},
        cancelled_because = ${row.cancelled_because}
    where id = ${row.id}`)
}

async function lockWhere(tx: Tx, condition: Sql): Promise<PaymentIntentRow | null> {
  const [row] = await tx.query<PaymentIntentRow>(
    sql`select ${intentColumns} from processor_intents where ${condition} for update`,
  )
  return row ?? null
}

export const lockPaymentIntent = (tx: Tx, id: string): Promise<PaymentIntentRow | null> =>
  lockWhere(tx, sql`id = ${id}`)

export const lockPaymentIntentBySecret = (tx: Tx, secret: string): Promise<PaymentIntentRow | null> =>
  lockWhere(tx, sql`client_secret = ${secret}`)

/** The newest charge of an organization of which something is not refunded, without disputed ones. */
export async function findNewestUndisputedCharge(tx: Tx, organization: string): Promise<PaymentIntentRow | null> {
  const [row] = await tx.query<PaymentIntentRow>(sql`
    select ${intentColumns} from processor_intents
    where organization_id = ${organization} and status = 'succeeded' and captured_cents > refunded_cents
      and not exists (select 1 from processor_disputes where processor_disputes.intent = processor_intents.id)
    order by created_at desc, id desc limit 1`)
  return row ?? null
}

export async function listOpenDisputes(tx: Tx, organization: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select dispute.id from processor_disputes dispute join processor_intents intent on intent.id = dispute.intent
    where intent.organization_id = ${organization} and dispute.status = 'open' order by dispute.created_at, dispute.id`)
  return rows.map(({ id }) => id)
}

/** Expired authorizations; skips those that another process has locked. */
export async function lockExpiredCardAuthorizations(
  tx: Tx,
  times: OrganizationCurrentTimes,
  limit: number,
): Promise<PaymentIntentRow[]> {
  return tx.query<PaymentIntentRow>(sql`
    select ${intentColumns} from processor_intents
    where status = 'requires_capture' and ${dueCondition(sql`capture_before`, sql`organization_id`, times)}
    order by capture_before limit ${limit} for update skip locked`)
}

/** Ends the open authorizations of an organization at a time. */
export async function markPaymentAuthorizationsEnded(tx: Tx, organization: string, at: Date): Promise<void> {
  await tx.query(sql`
    update processor_intents set capture_before = ${at}
    where organization_id = ${organization} and status = 'requires_capture' and capture_before > ${at}`)
}

export interface PaymentProcessorRefundRow {
  readonly id: string
  readonly intent: string
  readonly amount_cents: number
  readonly metadata: Readonly<Record<string, string>>
}

export async function insertPaymentProcessorRefund(tx: Tx, row: PaymentProcessorRefundRow, now: Date): Promise<void> {
  await tx.query(sql`
    insert into processor_refunds (id, intent, amount_cents, metadata, created_at)
    values (${row.id}, ${row.intent}, ${row.amount_cents}, ${sql.json(row.metadata)}, ${now})`)
}

export async function insertPaymentProcessorDispute(tx: Tx, row: PaymentProcessorDisputeRow, now: Date): Promise<void> {
  await tx.query(sql`
    insert into processor_disputes (id, intent, amount_cents, status, created_at)
    values (${row.id}, ${row.intent}, ${row.amount_cents}, ${row.status}, ${now})`)
}

export async function lockPaymentProcessorDispute(tx: Tx, id: string): Promise<PaymentProcessorDisputeRow | null> {
  const [row] = await tx.query<PaymentProcessorDisputeRow>(sql`
    select id, intent, amount_cents, status from processor_disputes where id = ${id} for update`)
  return row ?? null
}

export async function updatePaymentProcessorDispute(tx: Tx, { id, status }: PaymentProcessorDisputeRow): Promise<void> {
  await tx.query(sql`update processor_disputes set status = ${status} where id = ${id}`)
}
