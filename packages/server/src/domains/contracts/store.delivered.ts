import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import type { DateRange } from './months.ts'

/** One charged line of an enterprise organization; a hold without lines is a single line. */
export interface DeliveredChargeLineRow {
  readonly hold_id: string
  readonly line: number
  readonly at: Date
  readonly product: string
  /** The description of its charge; null for a hold without lines. */
  readonly description: string | null
  readonly unit: string
  /** Quantity and rate are decimal text. */
  readonly quantity: string
  readonly rate_credits: string
  readonly amount_credits: number
  readonly commitment_id: string | null
  readonly reference_type: string
  readonly reference_id: string
}

/** Charged lines of enterprise holds, oldest first. */
const selectDelivered = (organization: string, where: Sql): Sql => sql`
  select h.id as hold_id, coalesce(s.line, 0) as line, r.created_at as at, coalesce(l.product, h.reference_type) as product, l.description,
    coalesce(l.unit, h.reference_type) as unit, coalesce(l.charged_quantity, 1)::text as quantity,
    coalesce(l.rate_credits, r.settled_credits)::text as rate_credits,
    coalesce(s.amount_credits, r.settled_credits) as amount_credits, l.commitment_id, h.reference_type, h.reference_id
  from credit_holds h
  join credit_hold_resolutions r on r.organization_id = h.organization_id and r.hold_id = h.id
  left join charge_line_settlements s on s.organization_id = h.organization_id and s.hold_id = h.id
  left join charge_lines l on l.organization_id = s.organization_id and l.hold_id = s.hold_id and l.line = s.line
  where h.organization_id = ${organization} and h.mode = 'enterprise' and r.outcome = 'settled' and ${where}
  order by r.created_at, h.id, coalesce(s.line, 0)`

/** Charged lines within a date range. */
export const listDeliveredChargeLines = (
  db: SqlStatementRunner,
  organization: string,
  { start, end }: DateRange,
): Promise<DeliveredChargeLineRow[]> =>
  db.query<DeliveredChargeLineRow>(
    selectDelivered(organization, sql`r.created_at >= ${start} and r.created_at < ${end}`),
  )

/** Uninvoiced charges before a time: one line per scene, or other charge, of a hold. */
export async function listUninvoicedChargeLines(
  tx: Tx,
  organization: string,
  until: Date,
): Promise<DeliveredChargeLineRow[]> {
  return tx.query<DeliveredChargeLineRow>(
    selectDelivered(
      organization,
      sql`r.created_at < ${until} and not exists (
        select 1 from invoiced_charges i where i.organization_id = h.organization_id and i.hold_id = h.id)`,
    ),
  )
}

/** All charged lines under a commitment. */
export const listChargeLinesUnderCommitment = (
  db: SqlStatementRunner,
  organization: string,
  commitment: string,
): Promise<DeliveredChargeLineRow[]> =>
  db.query<DeliveredChargeLineRow>(selectDelivered(organization, sql`l.commitment_id = ${commitment}`))
