import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface ProductRate {
  readonly product: string
  readonly unit: string
  /** Decimal text. */
  readonly rate_credits: string
}

/** The current state of a commitment: its newest version and, if closed, its totals. */
export interface CommitmentRow {
  readonly id: string
  readonly name: string
  readonly period_start: Date
  /** Exclusive. */
  readonly period_end: Date
  readonly committed_cents: number
  readonly carried_in_cents: number
  readonly version: number
  readonly products: readonly ProductRate[]
  readonly closed_at: Date | null
  /** Null until it is closed, like the next two fields. */
  readonly delivered_cents: number | null
  readonly shortfall_cents: number | null
  readonly true_up_entry_id: string | null
  /** The invoice that contains its true-up. */
  readonly invoice_id: string | null
}

const select = sql`
  select c.id, c.name, c.period_start, c.period_end, c.committed_cents, c.carried_in_cents, c.version, v.products,
    c.closed_at, c.delivered_cents, c.shortfall_cents, c.true_up_entry_id, c.invoice_id
  from commitments c
  join commitment_versions v
    on v.organization_id = c.organization_id and v.commitment_id = c.id and v.version = c.version`

/** Ordered by end of the period, latest first. */
export async function listCommitments(db: SqlStatementRunner, organization: string): Promise<CommitmentRow[]> {
  return db.query<CommitmentRow>(sql`
    ${select} where c.organization_id = ${organization} order by c.period_end desc, c.created_at desc, c.id desc`)
}

export async function findCommitment(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<CommitmentRow | null> {
  const [row] = await db.query<CommitmentRow>(sql`
    ${select} where c.organization_id = ${organization} and c.id = ${id}`)
  return row ?? null
}

/** The actor of a change, its time and its reason. */
export interface ChangeAttribution {
  readonly actor: string
  readonly reason: string | null
  readonly now: OrganizationTime
}

type CommitmentDefinition = Pick<
  CommitmentRow,
  'id' | 'name' | 'period_start' | 'period_end' | 'committed_cents' | 'carried_in_cents' | 'version' | 'products'
>

export async function insertCommitment(
  tx: Tx,
  organization: string,
  row: CommitmentDefinition,
  change: ChangeAttribution,
): Promise<void> {
  await tx.query(sql`
    insert into commitments (organization_id, id, name, period_start, period_end, committed_cents, carried_in_cents,
                             version, created_by, created_at, updated_at)
    values (${organization}, ${row.id}, ${row.name}, ${row.period_start}, ${row.period_end}, ${row.committed_cents},
            ${row.carried_in_cents}, ${row.version}, ${change.actor}, ${change.now}, ${change.now})`)
  await insertVersion(tx, organization, row, change)
}

/** Inserts the next version and updates the commitment. */
export async function insertCommitmentAmendment(
  tx: Tx,
  organization: string,
  row: CommitmentDefinition,
  change: ChangeAttribution,
): Promise<void> {
  await insertVersion(tx, organization, row, change)
  await tx.query(sql`
    update commitments
    set name = ${row.name}, period_end = ${row.period_end}, committed_cents = ${row.committed_cents},
        version = ${row.version}, updated_at = ${change.now}
    where organization_id = ${organization} and id = ${row.id} and closed_at is null`)
}

async function insertVersion(
  tx: Tx,
  organization: string,
  row: CommitmentDefinition,
  change: ChangeAttribution,
): Promise<void> {
  await tx.query(sql`
    insert into commitment_versions (organization_id, commitment_id, version, name, period_start, period_end,
                                     committed_cents, carried_in_cents, products, reason, actor, created_at)
    values (${organization}, ${row.id}, ${row.version}, ${row.name}, ${row.period_start}, ${row.period_end},
            ${row.committed_cents}, ${row.carried_in_cents}, ${sql.json(row.products)}, ${change.reason},
            ${change.actor}, ${change.now})`)
}

export async function updateClosedCommitment(
  tx: Tx,
  organization: string,
  id: string,
  result: { delivered_cents: number; shortfall_cents: number; true_up_entry_id: string | null; closed_at: Date },
): Promise<void> {
  await tx.query(sql`
    update commitments
    set closed_at = ${result.closed_at}, delivered_cents = ${result.delivered_cents},
        shortfall_cents = ${result.shortfall_cents}, true_up_entry_id = ${result.true_up_entry_id},
        updated_at = ${result.closed_at}
    where organization_id = ${organization} and id = ${id} and closed_at is null`)
}

/** Closed commitments whose true-up is not invoiced yet. */
export async function listUninvoicedTrueUps(tx: Tx, organization: string): Promise<CommitmentRow[]> {
  return tx.query<CommitmentRow>(sql`
    ${select}
    where c.organization_id = ${organization} and c.shortfall_cents > 0 and c.invoice_id is null
    order by c.period_end, c.id`)
}

export async function markTrueUpsInvoiced(
  tx: Tx,
  organization: string,
  ids: readonly string[],
  invoice_id: string,
): Promise<void> {
  await tx.query(sql`
    update commitments set invoice_id = ${invoice_id}
    where organization_id = ${organization} and id = any (${[...ids]}::uuid[]) and invoice_id is null`)
}

/** Cents delivered under each commitment within its period and before its close. */
export async function sumDeliveredByCommitment(
  db: SqlStatementRunner,
  organization: string,
): Promise<Map<string, number>> {
  const rows = await db.query<{ id: string; cents: number }>(sql`
    select c.id, sum(s.amount_credits)::bigint as cents
    from commitments c
    join charge_lines l on l.organization_id = c.organization_id and l.commitment_id = c.id
    join charge_line_settlements s
      on s.organization_id = l.organization_id and s.hold_id = l.hold_id and s.line = l.line
    where c.organization_id = ${organization} and s.settled_at >= c.period_start and s.settled_at < c.period_end
      and (c.closed_at is null or s.settled_at < c.closed_at)
    group by c.id`)
  return new Map(rows.map(({ id, cents }) => [id, cents]))
}
