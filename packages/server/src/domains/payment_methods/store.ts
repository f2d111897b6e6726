import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** A saved card. */
export interface CardRow {
  readonly id: string
  /** The processor that knows it: cards of another one than that of the house cannot be charged. */
  readonly env: string
  readonly payment_method_id: string
  readonly kind: string
  readonly brand: string | null
  readonly last4: string | null
  readonly exp_month: number | null
  readonly exp_year: number | null
  readonly is_default: boolean
  readonly created_by: string
  readonly created_at: Date
}

const columns = sql`
  id, env, payment_method_id, kind, brand, last4, exp_month, exp_year, is_default, created_by, created_at`

export async function findDefaultCard(db: Queryable, organization: string, env: string): Promise<CardRow | null> {
  const [row] = await db.query<CardRow>(sql`
    select ${columns} from payment_methods
    where organization_id = ${organization} and env = ${env} and is_default and detached_at is null`)
  return row ?? null
}

/** A saved card, also one that was detached since: what was begun with it is finished with it. */
export async function findCard(db: Queryable, organization: string, id: string): Promise<CardRow | null> {
  const [row] = await db.query<CardRow>(sql`
    select ${columns} from payment_methods where organization_id = ${organization} and id = ${id}`)
  return row ?? null
}

/** Who the organization is to the processor; null before its first card. */
export async function findCustomer(db: Queryable, organization: string, env: string): Promise<string | null> {
  const [row] = await db.query<{ customer: string }>(sql`
    select customer from payment_customers where organization_id = ${organization} and env = ${env}`)
  return row?.customer ?? null
}

/** The customer that stands in the row afterwards: of two that were made at once, the first. */
export async function keepCustomer(
  tx: Tx,
  organization: string,
  env: string,
  customer: string,
  at: Date,
): Promise<string> {
  await tx.query(sql`
    insert into payment_customers (organization_id, env, customer, created_at)
    values (${organization}, ${env}, ${customer}, ${at})
    on conflict (organization_id, env) do nothing`)
  return (await findCustomer(tx, organization, env))!
}
