import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { HoldPaymentMethodClass } from './accounts.ts'
import type { CreditLotColumn } from './ledger-changes.ts'

/** The stored totals that derive from the journal, as of one moment. */
export interface LedgerSnapshot {
  /** The position of the last journal entry. */
  readonly last: number
  /** Null before the first entry. */
  readonly head: { readonly position: number; readonly hash: string } | null
  readonly accounts: Readonly<Record<string, number>>
  readonly lots: readonly ({ readonly id: string; readonly granted: number } & Readonly<
    Record<CreditLotColumn, number>
  >)[]
  /** Sum of the open holds by mode. */
  readonly open: Readonly<Partial<Record<HoldPaymentMethodClass, number>>>
}

/** One statement, so that all values are of the same moment. */
export async function findLedgerSnapshot(db: SqlStatementRunner, organization: string): Promise<LedgerSnapshot> {
  const [row] = await db.query<{ [Name in keyof LedgerSnapshot]: LedgerSnapshot[Name] | null }>(sql`
    select
      (select coalesce(max(position), 0)::bigint from journal_entries where organization_id = ${organization}) as last,
      (select jsonb_build_object('position', position, 'hash', hash) from ledger_heads
       where organization_id = ${organization}) as head,
      (select jsonb_object_agg(name, balance_credits) from ledger_accounts where organization_id = ${organization}) as accounts,
      (select jsonb_agg(jsonb_build_object(
         'id', id, 'granted', granted_credits, 'available', available_credits, 'held', held_credits,
         'captured', captured_credits, 'expired', expired_credits, 'refunded', refunded_credits) order by created_at, id)
       from credit_lots where organization_id = ${organization}) as lots,
      (select jsonb_object_agg(mode, credits) from (
         select h.mode, sum(h.amount_credits) as credits from credit_holds h
         left join credit_hold_resolutions r on r.organization_id = h.organization_id and r.hold_id = h.id
         where h.organization_id = ${organization} and r.hold_id is null
         group by h.mode) as waiting) as open`)
  return {
    last: row?.last ?? 0,
    head: row?.head ?? null,
    accounts: row?.accounts ?? {},
    lots: row?.lots ?? [],
    open: row?.open ?? {},
  }
}
