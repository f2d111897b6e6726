import type { Tx } from '../../../database/database.ts'
import { sql } from '../../../database/sql.ts'

export interface PaymentProcessorCustomerRow {
  readonly id: string
  readonly organization_id: string
  readonly name: string
  readonly email: string | null
  readonly default_method: string | null
}

export interface PaymentMethodRow {
  readonly id: string
  readonly customer: string
  /** The id of the test card that it was created from. */
  readonly behaviour: string
  readonly brand: string
  readonly last4: string
  readonly exp_month: number
  readonly exp_year: number
  readonly detached_at: Date | null
}

export interface SetupIntentRow {
  readonly id: string
  readonly customer: string
  readonly client_secret: string
  readonly status: string
}

export async function insertPaymentProcessorCustomer(
  tx: Tx,
  row: Omit<PaymentProcessorCustomerRow, 'default_method'>,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    insert into processor_customers (id, organization_id, name, email, created_at)
    values (${row.id}, ${row.organization_id}, ${row.name}, ${row.email}, ${now})`)
}

/** Locks the customer until the end of the transaction, so that changes of its cards are serialized. */
export async function lockPaymentProcessorCustomer(tx: Tx, id: string): Promise<PaymentProcessorCustomerRow | null> {
  const [row] = await tx.query<PaymentProcessorCustomerRow>(sql`
    select id, organization_id, name, email, default_method from processor_customers where id = ${id} for update`)
  return row ?? null
}

export async function updateDefaultPaymentMethod(tx: Tx, customer: string, method: string | null): Promise<void> {
  await tx.query(sql`update processor_customers set default_method = ${method} where id = ${customer}`)
}

export async function insertPaymentMethod(tx: Tx, row: PaymentMethodRow, now: Date): Promise<void> {
  await tx.query(sql`
    insert into processor_methods (id, customer, behaviour, brand, last4, exp_month, exp_year, created_at)
    values (${row.id}, ${row.customer}, ${row.behaviour}, ${row.brand}, ${row.last4}, ${row.exp_month}, ${row.exp_year},
            ${now})`)
}

const methodColumns = sql`id, customer, behaviour, brand, last4, exp_month, exp_year, detached_at`

export async function findPaymentMethod(tx: Tx, id: string): Promise<PaymentMethodRow | null> {
  const [row] = await tx.query<PaymentMethodRow>(sql`select ${methodColumns} from processor_methods where id = ${id}`)
  return row ?? null
}

/** The expiry month of a card. */
export type CardExpiry = Pick<PaymentMethodRow, 'exp_month' | 'exp_year'>

export async function updatePaymentMethod(
  tx: Tx,
  id: string,
  { exp_month, exp_year }: CardExpiry,
): Promise<PaymentMethodRow | null> {
  const [row] = await tx.query<PaymentMethodRow>(sql`
    update processor_methods set exp_month = ${exp_month}, exp_year = ${exp_year}
    where id = ${id} and detached_at is null returning ${methodColumns}`)
  return row ?? null
}

/** True if it was attached until now. */
export async function markPaymentMethodDetached(tx: Tx, id: string, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    update processor_methods set detached_at = ${now} where id = ${id} and detached_at is null returning id`)
  return rows.length > 0
}

export async function insertSetupIntent(tx: Tx, row: SetupIntentRow, now: Date): Promise<void> {
  await tx.query(sql`
    insert into processor_setup_intents (id, customer, client_secret, status, created_at)
    values (${row.id}, ${row.customer}, ${row.client_secret}, ${row.status}, ${now})`)
}

/** Completes the newest open setup intent when a card is saved; null if none is open. */
export async function markSetupIntentCompleted(tx: Tx, customer: string): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(sql`
    update processor_setup_intents set status = 'succeeded'
    where id = (
      select id from processor_setup_intents
      where customer = ${customer} and status = 'requires_payment_method'
      order by created_at desc, id limit 1)
    returning id`)
  return row?.id ?? null
}
