import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { HoldPaymentMethodClass } from './accounts.ts'
import type { CreditLotAmount, NewChargeLine } from './ledger-changes.ts'

export interface CreditHoldRow {
  readonly id: string
  readonly amount_credits: number
  readonly mode: HoldPaymentMethodClass
  readonly reference_type: string
  readonly reference_id: string
  readonly user_id: string | null
  /** The API key that requested it. */
  readonly api_key_id: string | null
  readonly expires_at: Date | null
  readonly created_at: Date
  /** The outcome of the hold; null while it is open. */
  readonly outcome: 'settled' | 'released' | 'expired' | null
  readonly settled_credits: number | null
  readonly released_credits: number | null
  readonly resolved_at: Date | null
}

export async function findCreditHold(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<CreditHoldRow | null> {
  const [row] = await db.query<CreditHoldRow>(
    sql.prepared(sql`
    select h.id, h.amount_credits, h.mode, h.reference_type, h.reference_id, h.user_id, h.api_key_id, h.expires_at, h.created_at,
      r.outcome, r.settled_credits, r.released_credits, r.created_at as resolved_at
    from credit_holds h
    left join credit_hold_resolutions r on r.organization_id = h.organization_id and r.hold_id = h.id
    where h.organization_id = ${organization} and h.id = ${id}`),
  )
  return row ?? null
}

export interface HeldCreditLot extends CreditLotAmount {
  readonly expires_at: Date | null
}

/** The lots that a hold was allocated from, in allocation order. */
export async function listLotsOfHold(
  db: SqlStatementRunner,
  organization: string,
  hold: string,
): Promise<HeldCreditLot[]> {
  return db.query<HeldCreditLot>(
    sql.prepared(sql`
    select drawn.lot_id, drawn.amount_credits, lot.expires_at
    from credit_hold_lots drawn
    join credit_lots lot on lot.organization_id = drawn.organization_id and lot.id = drawn.lot_id
    where drawn.organization_id = ${organization} and drawn.hold_id = ${hold}
    order by lot.priority, lot.expires_at nulls last, lot.created_at, lot.id`),
  )
}

export type ChargeLineRow = NewChargeLine & {
  /** Null if it is not charged. */
  readonly settled_credits: number | null
  readonly settled_at: Date | null
}

/** The charge lines of a hold. */
export async function listChargeLinesOfHold(
  db: SqlStatementRunner,
  organization: string,
  hold: string,
): Promise<ChargeLineRow[]> {
  return db.query<ChargeLineRow>(
    sql.prepared(sql`
    select c.hold_id, c.line, c.product, c.description, c.unit, c.measured_quantity::text, c.charged_quantity::text,
      c.minimum_quantity::text, c.list_rate_credits::text, c.rate_credits::text, c.priced_on::text, c.discount_credits,
      c.amount_credits, c.commitment_id, s.amount_credits as settled_credits, s.settled_at
    from charge_lines c
    left join charge_line_settlements s
      on s.organization_id = c.organization_id and s.hold_id = c.hold_id and s.line = c.line
    where c.organization_id = ${organization} and c.hold_id = ${hold}
    order by c.line`),
  )
}

export async function findCreditLot(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<{ kind: string; expires_at: Date | null; available_credits: number } | null> {
  const [row] = await db.query<{ kind: string; expires_at: Date | null; available_credits: number }>(sql`
    select kind, expires_at, available_credits from credit_lots where organization_id = ${organization} and id = ${id}`)
  return row ?? null
}
