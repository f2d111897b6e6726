import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { buildValuesList, prepareByListLength } from '../../platform/database/statements/values-list.ts'
import { ledgerAccounts, type LedgerAccount } from './accounts.ts'
import { genesisHash } from '../../platform/crypto/hash-chain.ts'
import type { LedgerCommit, SpendableLotRow } from './ledger-changes.ts'
import {
  deleteBillingDeadlinesSql,
  updateLedgerHeadSql,
  insertHoldsSql,
  insertChargeLinesSql,
  insertJournalEntriesSql,
  insertHoldLotsSql,
  insertLineSettlementsSql,
  insertCreditLotsSql,
  insertPostingsSql,
  listPostingRows,
  resolveHoldsSql,
  updateCreditLotsSql,
  upsertBillingDeadlinesSql,
} from './store.ledger-parts.ts'

export interface LedgerHeadRow {
  /** The position of the newest entry; 0 before the first. */
  readonly position: number
  readonly hash: string
  readonly low_balance_credits: number
}

/** Locks the row that every ledger transaction of an organization locks first; creates it and the accounts on first use. */
export async function lockLedgerHead(tx: Tx, organization: string): Promise<LedgerHeadRow> {
  const select = sql.prepared(sql`
    select position, hash, low_balance_credits from ledger_heads where organization_id = ${organization} for update`)
  const [row] = await tx.query<LedgerHeadRow>(select)
  if (row) return row
  await tx.query(sql`
    with head as (
      insert into ledger_heads (organization_id, position, hash) values (${organization}, 0, ${genesisHash})
      on conflict (organization_id) do nothing)
    insert into ledger_accounts (organization_id, name, balance_credits)
    values ${buildValuesList(ledgerAccounts, (name) => sql`(${organization}, ${name}, 0)`)}
    on conflict (organization_id, name) do nothing`)
  const [created] = await tx.query<LedgerHeadRow>(select)
  return created!
}

/** Balances, and the lots with available credits in allocation order: priority, earliest expiry, oldest. */
export async function findBalancesAndLots(
  db: SqlStatementRunner,
  organization: string,
): Promise<{ balances: Map<LedgerAccount, number>; lots: SpendableLotRow[] }> {
  const [row] = await db.query<{
    balances: Record<LedgerAccount, number> | null
    lots: (Omit<SpendableLotRow, 'expires_at'> & { expires_at: string | null })[] | null
  }>(
    sql.prepared(sql`
    select
      (select jsonb_object_agg(name, balance_credits) from ledger_accounts where organization_id = ${organization}) as balances,
      (select jsonb_agg(jsonb_build_object('id', id, 'kind', kind, 'expires_at', expires_at,
                                           'available_credits', available_credits)
                        order by priority, expires_at nulls last, created_at, id)
       from credit_lots where organization_id = ${organization} and available_credits > 0) as lots`),
  )
  return {
    balances: new Map(Object.entries(row?.balances ?? {}) as [LedgerAccount, number][]),
    lots: (row?.lots ?? []).map((lot) => ({ ...lot, expires_at: lot.expires_at ? new Date(lot.expires_at) : null })),
  }
}

/**
 * One statement for everything: statement count and planning dominate the time of a ledger write. A distributed engine runs its
 * parts one after another, so rows come after those that they reference.
 */
export async function insertLedgerChanges(tx: Tx, organization: string, ledger: LedgerCommit): Promise<void> {
  const { changes, entries } = ledger
  const postings = listPostingRows(entries)
  const lotsOfHolds = changes.holds.flatMap((hold) => hold.lots.map((lot) => ({ hold_id: hold.id, ...lot })))
  const parts = [
    ...(entries.length > 0 ? updateLedgerHeadSql(organization, ledger) : []),
    ...(changes.moves.length > 0 ? [updateCreditLotsSql(organization, changes.moves)] : []),
    ...(changes.lots.length > 0 ? [insertCreditLotsSql(organization, changes.lots)] : []),
    ...(changes.holds.length > 0 ? insertHoldsSql(organization, changes.holds) : []),
    ...(lotsOfHolds.length > 0 ? [insertHoldLotsSql(organization, lotsOfHolds)] : []),
    ...(changes.resolutions.length > 0 ? resolveHoldsSql(organization, changes.resolutions) : []),
    ...(changes.lines.length > 0 ? [insertChargeLinesSql(organization, changes.lines)] : []),
    ...(changes.settled.length > 0 ? [insertLineSettlementsSql(organization, changes.settled)] : []),
    ...(entries.length > 0 ? [insertJournalEntriesSql(organization, entries)] : []),
    ...(postings.length > 0 ? [insertPostingsSql(organization, postings)] : []),
    ...(changes.deadlines.length > 0 ? [upsertBillingDeadlinesSql(organization, changes.deadlines)] : []),
    ...(changes.cleared.length > 0 ? [deleteBillingDeadlinesSql(organization, changes.cleared)] : []),
  ]
  if (parts.length === 0) return
  const ctes = parts.map((part, index) => sql`${cteNames[index]!} as (${part})`)
  const { holds, lots, resolutions, lines, settled, deadlines } = changes
  const lists = [entries, postings, lotsOfHolds, holds, lots, resolutions, lines, settled, deadlines]
  const longest = Math.max(...lists.map((list) => list.length))
  await tx.query(prepareByListLength(sql`with ${sql.join(ctes)} select 1`, longest))
}

/** Names of the CTEs of the statement; nothing refers to them. */
const cteNames = Array.from({ length: 20 }, (_, index) => sql.identifier(`part_${index}`, [`part_${index}`]))
