import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { splitIntoBatches, buildValuesList } from '../../../platform/database/statements/values-list.ts'

/** A dispute (chargeback) of a charge. */
export interface DisputeRow {
  readonly id: string
  /** Its id at the processor. */
  readonly dispute: string
  readonly intent: string
  readonly amount_cents: number
  readonly held_credits: number
  readonly state: 'open' | 'won' | 'lost'
}

const columns = sql`id, dispute, intent, amount_cents, held_credits, state`

export async function findDispute(
  db: SqlStatementRunner,
  organization: string,
  dispute: string,
): Promise<DisputeRow | null> {
  const [row] = await db.query<DisputeRow>(sql`
    select ${columns} from payment_disputes where organization_id = ${organization} and dispute = ${dispute}`)
  return row ?? null
}

export async function insertCardDispute(
  tx: Tx,
  {
    organization,
    row,
    lots,
    at,
  }: {
    readonly organization: string
    readonly row: Omit<DisputeRow, 'state'>
    readonly lots: readonly { readonly lot_id: string; readonly amount_credits: number }[]
    readonly at: OrganizationTime
  },
): Promise<void> {
  await tx.query(sql`
    insert into payment_disputes (organization_id, id, dispute, intent, amount_cents, held_credits, state, opened_at)
    values (${organization}, ${row.id}, ${row.dispute}, ${row.intent}, ${row.amount_cents}, ${row.held_credits}, 'open', ${at})`)
  for (const batch of splitIntoBatches(lots))
    await tx.query(sql`
      insert into payment_dispute_lots (organization_id, dispute_id, lot_id, amount_credits)
      values ${buildValuesList(
        batch,
        ({ lot_id, amount_credits }) => sql`(${organization}, ${row.id}, ${lot_id}, ${amount_credits})`,
      )}`)
}

export async function markDisputeClosed(
  tx: Tx,
  {
    organization,
    id,
    state,
    at,
  }: {
    readonly organization: string
    readonly id: string
    readonly state: 'won' | 'lost'
    readonly at: OrganizationTime
  },
): Promise<void> {
  await tx.query(sql`
    update payment_disputes set state = ${state}, closed_at = ${at}
    where organization_id = ${organization} and id = ${id} and state = 'open'`)
}

/** The lots whose credits a dispute reversed. */
export async function listLotsOfDispute(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<{ lot_id: string; amount_credits: number; expires_at: Date | null }[]> {
  return db.query(sql`
    select taken.lot_id, taken.amount_credits, lot.expires_at
    from payment_dispute_lots taken
    join credit_lots lot on lot.organization_id = taken.organization_id and lot.id = taken.lot_id
    where taken.organization_id = ${organization} and taken.dispute_id = ${id} order by taken.lot_id`)
}

/** True while a charge has an open dispute. */
export async function isChargeDisputed(
  db: SqlStatementRunner,
  organization: string,
  intent: string | null,
): Promise<boolean> {
  const rows = await db.query(sql`
    select id from payment_disputes
    where organization_id = ${organization} and intent = ${intent} and state = 'open' limit 1`)
  return rows.length > 0
}
