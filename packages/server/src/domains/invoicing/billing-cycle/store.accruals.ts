import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'
import { splitIntoBatches, buildValuesList } from '../../../platform/database/statements/values-list.ts'

/** The enterprise charge of one hold, and its invoice. */
export interface AccrualRow {
  readonly hold_id: string
  readonly reference_type: string
  readonly reference_id: string
  readonly amount_credits: number
  readonly at: Date
  /** The number of its own or external invoice, or the id of its own until that has a number; null if it is not invoiced. */
  readonly invoiced_in: string | null
}

const selectAccruals = (organization: string, where: Sql): Sql => sql`
  select h.id as hold_id, h.reference_type, h.reference_id, r.settled_credits as amount_credits, r.created_at as at,
    coalesce(i.reference, own.number, own.id::text) as invoiced_in
  from credit_holds h
  join credit_hold_resolutions r on r.organization_id = h.organization_id and r.hold_id = h.id
  left join invoiced_charges i on i.organization_id = h.organization_id and i.hold_id = h.id
  left join invoices own on own.organization_id = i.organization_id and own.id = i.invoice_id
  where h.organization_id = ${organization} and h.mode = 'enterprise' and r.outcome = 'settled' and ${where}
  order by r.created_at, h.id`

/** Charges within a date range, oldest first. */
export const listAccruedCharges = (
  db: SqlStatementRunner,
  organization: string,
  { start, end }: { readonly start: Date; readonly end: Date },
): Promise<AccrualRow[]> =>
  db.query<AccrualRow>(selectAccruals(organization, sql`r.created_at >= ${start} and r.created_at < ${end}`))

/** Charges of these orders. */
export const listAccruedChargesOfOrders = (
  db: SqlStatementRunner,
  organization: string,
  orders: readonly string[],
): Promise<AccrualRow[]> =>
  db.query<AccrualRow>(
    selectAccruals(organization, sql`h.reference_type = 'order' and h.reference_id = any (${[...orders]}::text[])`),
  )

/** The orders among these that have a hold of any payment mode. */
export async function listOrdersWithHold(
  db: SqlStatementRunner,
  organization: string,
  orders: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select distinct reference_id as id from credit_holds
    where organization_id = ${organization} and reference_type = 'order' and reference_id = any (${[...orders]}::text[])`)
  return rows.map(({ id }) => id)
}

/** Records the invoice of charges: an own one by its id, an external one by its reference. */
export async function insertInvoicedCharges(
  tx: Tx,
  organization: string,
  holds: readonly string[],
  invoice: {
    readonly invoice_id: string | null
    readonly reference: string | null
    readonly note: string | null
    readonly actor: string
    readonly now: OrganizationTime
  },
): Promise<void> {
  for (const batch of splitIntoBatches(holds))
    await tx.query(sql`
      insert into invoiced_charges (organization_id, hold_id, invoice_id, reference, note, actor, created_at)
      values ${buildValuesList(
        batch,
        (hold_id) => sql`
          (${organization}, ${hold_id}, ${invoice.invoice_id}, ${invoice.reference}, ${invoice.note}, ${invoice.actor},
           ${invoice.now})`,
      )}`)
}
