import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** A saved card. */
export interface CardRow {
  readonly id: string
  /** The processor that issued it; cards of other processors than the configured one cannot be charged. */
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
  readonly detached_at: Date | null
}

const columns = sql`
  id, env, payment_method_id, kind, brand, last4, exp_month, exp_year, is_default, created_by, created_at, detached_at`

export async function findDefaultCard(
  db: SqlStatementRunner,
  organization: string,
  env: string,
): Promise<CardRow | null> {
  const [row] = await db.query<CardRow>(sql`
    select ${columns} from payment_methods
    where organization_id = ${organization} and env = ${env} and is_default and detached_at is null`)
  return row ?? null
}

/** A saved card, detached or not: payments that were started with a card are finished with it. */
export async function findSavedCard(db: SqlStatementRunner, organization: string, id: string): Promise<CardRow | null> {
  const [row] = await db.query<CardRow>(sql`
    select ${columns} from payment_methods where organization_id = ${organization} and id = ${id}`)
  return row ?? null
}

/** The organization's customer id at a processor; null before its first card. */
export async function findCustomerId(
  db: SqlStatementRunner,
  organization: string,
  env: string,
): Promise<string | null> {
  const [row] = await db.query<{ customer: string }>(sql`
    select customer from payment_customers where organization_id = ${organization} and env = ${env}`)
  return row?.customer ?? null
}

/** Saves the customer id and returns the stored one: of two concurrent calls, the first wins. */
export async function upsertCustomerId(
  tx: Tx,
  {
    organization,
    env,
    customer,
    at,
  }: { readonly organization: string; readonly env: string; readonly customer: string; readonly at: OrganizationTime },
): Promise<string> {
  await tx.query(sql`
    insert into payment_customers (organization_id, env, customer, created_at)
    values (${organization}, ${env}, ${customer}, ${at})
    on conflict (organization_id, env) do nothing`)
  return (await findCustomerId(tx, organization, env))!
}

/** The chargeable cards: the default first, then the newest. */
export async function listCards(db: SqlStatementRunner, organization: string, env: string): Promise<CardRow[]> {
  return db.query<CardRow>(sql`
    select ${columns} from payment_methods
    where organization_id = ${organization} and env = ${env} and detached_at is null
    order by is_default desc, created_at desc, id`)
}

/** A card by its id at the processor, detached or not. */
export async function findCardByProcessorId(
  db: SqlStatementRunner,
  organization: string,
  env: string,
  payment_method_id: string,
): Promise<CardRow | null> {
  const [row] = await db.query<CardRow>(sql`
    select ${columns} from payment_methods
    where organization_id = ${organization} and env = ${env} and payment_method_id = ${payment_method_id}`)
  return row ?? null
}

/** The organization that saved a card, by its id at the processor; null if there is none. */
export async function findOrganizationOfCard(
  across: SqlStatementRunner,
  env: string,
  payment_method_id: string,
): Promise<string | null> {
  const [row] = await across.query<{ organization_id: string }>(sql`
    select organization_id from payment_methods
    where env = ${env} and payment_method_id = ${payment_method_id} and detached_at is null`)
  return row?.organization_id ?? null
}

/** The fields of a card that its bank may change. */
export type CardDetails = Pick<CardRow, 'brand' | 'last4' | 'exp_month' | 'exp_year'>

export async function updateCardDetails(
  tx: Tx,
  organization: string,
  id: string,
  details: CardDetails,
): Promise<CardRow> {
  const [row] = await tx.query<CardRow>(sql`
    update payment_methods
    set brand = ${details.brand}, last4 = ${details.last4}, exp_month = ${details.exp_month}, exp_year = ${details.exp_year}
    where organization_id = ${organization} and id = ${id}
    returning ${columns}`)
  return row!
}

export type NewCard = Omit<CardRow, 'is_default' | 'detached_at'>

/** Saves a card; the first one of an environment becomes the default. A detached card is reactivated. */
export async function insertCard(tx: Tx, organization: string, card: NewCard): Promise<CardRow> {
  const defaults = await tx.query(sql`
    select 1 from payment_methods
    where organization_id = ${organization} and env = ${card.env} and is_default and detached_at is null`)
  const [row] = await tx.query<CardRow>(sql`
    insert into payment_methods
      (organization_id, id, env, payment_method_id, kind, brand, last4, exp_month, exp_year, is_default, created_by, created_at)
    values (${organization}, ${card.id}, ${card.env}, ${card.payment_method_id}, ${card.kind}, ${card.brand}, ${card.last4},
            ${card.exp_month}, ${card.exp_year}, ${defaults.length === 0}, ${card.created_by}, ${card.created_at})
    on conflict (organization_id, env, payment_method_id) do update
      set detached_at = null, is_default = excluded.is_default, created_by = excluded.created_by,
          created_at = excluded.created_at, exp_month = excluded.exp_month, exp_year = excluded.exp_year
    returning ${columns}`)
  return row!
}

/** Makes one card the only default. */
export async function updateDefaultCard(
  tx: Tx,
  organization: string,
  card: Pick<CardRow, 'id' | 'env'>,
): Promise<void> {
  // Two statements, because the unique index allows no two defaults at any time.
  await tx.query(sql`
    update payment_methods set is_default = false
    where organization_id = ${organization} and env = ${card.env} and is_default and id <> ${card.id}`)
  await tx.query(sql`
    update payment_methods set is_default = true
    where organization_id = ${organization} and id = ${card.id} and detached_at is null`)
}

export async function markCardDetached(tx: Tx, organization: string, id: string, at: OrganizationTime): Promise<void> {
  await tx.query(sql`
    update payment_methods set detached_at = ${at}, is_default = false
    where organization_id = ${organization} and id = ${id} and detached_at is null`)
}
