import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface Posting {
  readonly account: string
  readonly amount_credits: number
  readonly lot_id: string | null
}

export interface NewEntry {
  readonly id: string
  readonly organization_id: string
  readonly kind: string
  readonly amount_credits: number
  readonly reference_type: string
  readonly reference_id: string
  readonly hold_id: string | null
  readonly actor_kind: string
  readonly actor_id: string
  readonly operation: string
  readonly request_id: string
  readonly note: string | null
  readonly created_at: Date
}

export interface LotRow {
  readonly id: string
  readonly kind: string
  readonly expires_at: Date | null
  readonly available_credits: number
}

export interface LotAmount {
  readonly lot_id: string
  readonly amount_credits: number
}

export interface HoldRow {
  readonly id: string
  readonly amount_credits: number
  readonly reference_type: string
  readonly reference_id: string
}

/**
 * Locks the organization's wallet, whose row comes first in every money transaction, and says what is available.
 * Makes the row on first use.
 */
export async function lockWallet(tx: Tx, organization: string): Promise<number> {
  const select = sql`
    select balance_credits from ledger_accounts
    where organization_id = ${organization} and name = 'wallet.available' for update`
  const [row] = await tx.query<{ balance_credits: number }>(select)
  if (row) return row.balance_credits
  await tx.query(sql`
    insert into ledger_accounts (organization_id, name, balance_credits) values (${organization}, 'wallet.available', 0)
    on conflict (organization_id, name) do nothing`)
  const [made] = await tx.query<{ balance_credits: number }>(select)
  return made?.balance_credits ?? 0
}

/** Adds the postings to the balances; the table refuses a wallet below zero. */
export async function moveBalances(tx: Tx, organization: string, postings: readonly Posting[]): Promise<void> {
  const sums = new Map<string, number>()
  for (const { account, amount_credits } of postings) sums.set(account, (sums.get(account) ?? 0) + amount_credits)
  const names = [...sums.keys()].sort()
  // Rows that exist are updated before any is inserted: an insert would be checked as if it started from zero.
  const updated = await tx.query<{ name: string }>(sql`
    update ledger_accounts account set balance_credits = account.balance_credits + moved.amount
    from unnest(${names}::text[], ${names.map((name) => sums.get(name))}::bigint[]) as moved (name, amount)
    where account.organization_id = ${organization} and account.name = moved.name
    returning account.name`)
  const known = new Set(updated.map((row) => row.name))
  const fresh = names.filter((name) => !known.has(name))
  if (fresh.length === 0) return
  await tx.query(sql`
    insert into ledger_accounts (organization_id, name, balance_credits)
    select ${organization}::uuid, name, amount
    from unnest(${fresh}::text[], ${fresh.map((name) => sums.get(name))}::bigint[]) as moved (name, amount)`)
}

export async function insertEntry(tx: Tx, entry: NewEntry, postings: readonly Posting[]): Promise<void> {
  await tx.query(sql`
    insert into journal_entries
      (organization_id, id, position, kind, amount_credits, available_after_credits, held_after_credits, reference_type,
       reference_id, hold_id, actor_kind, actor_id, operation, request_id, note, created_at)
    select ${entry.organization_id}::uuid, ${entry.id}::uuid,
      (select coalesce(max(position), 0) + 1 from journal_entries where organization_id = ${entry.organization_id}),
      ${entry.kind}, ${entry.amount_credits}::bigint, ${balance(entry.organization_id, 'wallet.available')},
      ${balance(entry.organization_id, 'wallet.held')}, ${entry.reference_type}, ${entry.reference_id},
      ${entry.hold_id}::uuid, ${entry.actor_kind}, ${entry.actor_id}, ${entry.operation}, ${entry.request_id},
      ${entry.note}, ${entry.created_at}::timestamptz`)
  await tx.query(sql`
    insert into journal_postings (organization_id, entry_id, line, account, lot_id, amount_credits)
    select ${entry.organization_id}::uuid, ${entry.id}::uuid, line, account, lot_id, amount
    from unnest(${postings.map((_, index) => index + 1)}::integer[], ${postings.map((posting) => posting.account)}::text[],
                ${postings.map((posting) => posting.lot_id)}::uuid[],
                ${postings.map((posting) => posting.amount_credits)}::bigint[]) as posting (line, account, lot_id, amount)`)
}

const balance = (organization: string, account: string) => sql`
  coalesce((select balance_credits from ledger_accounts where organization_id = ${organization} and name = ${account}), 0)`

export async function readBalances(db: Queryable, organization: string): Promise<Map<string, number>> {
  const rows = await db.query<{ name: string; balance_credits: number }>(sql`
    select name, balance_credits from ledger_accounts where organization_id = ${organization}`)
  return new Map(rows.map((row) => [row.name, row.balance_credits]))
}

export interface NewLot extends LotRow {
  readonly organization_id: string
  readonly priority: number
  readonly created_at: Date
}

export async function insertLot(tx: Tx, lot: NewLot): Promise<void> {
  await tx.query(sql`
    insert into credit_lots (organization_id, id, kind, priority, expires_at, granted_credits, available_credits, created_at)
    values (${lot.organization_id}, ${lot.id}, ${lot.kind}, ${lot.priority}, ${lot.expires_at},
            ${lot.available_credits}, ${lot.available_credits}, ${lot.created_at})`)
}

/** Lots with credits left, in the order in which they are drawn: priority, earliest expiry, oldest. */
export async function openLots(db: Queryable, organization: string, now: Date): Promise<LotRow[]> {
  return db.query<LotRow>(sql`
    select id, kind, expires_at, available_credits from credit_lots
    where organization_id = ${organization} and available_credits > 0 and (expires_at is null or expires_at > ${now})
    order by priority, expires_at nulls last, created_at, id`)
}

/** Moves credits between the columns of lots, such as from available to held. */
export async function moveLots(
  tx: Tx,
  organization: string,
  amounts: readonly LotAmount[],
  from: LotColumn,
  to: LotColumn,
): Promise<void> {
  if (amounts.length === 0) return
  const [source, target] = [sql.identifier(from, lotColumns), sql.identifier(to, lotColumns)]
  await tx.query(sql`
    update credit_lots lot set ${source} = lot.${source} - moved.amount, ${target} = lot.${target} + moved.amount
    from unnest(${amounts.map((row) => row.lot_id)}::uuid[], ${amounts.map((row) => row.amount_credits)}::bigint[])
      as moved (id, amount)
    where lot.organization_id = ${organization} and lot.id = moved.id`)
}

const lotColumns = [
  'available_credits',
  'held_credits',
  'captured_credits',
  'expired_credits',
  'refunded_credits',
] as const
export type LotColumn = (typeof lotColumns)[number]

export interface NewHold extends HoldRow {
  readonly organization_id: string
  readonly user_id: string | null
  readonly created_at: Date
}

export async function insertHold(tx: Tx, hold: NewHold, lots: readonly LotAmount[]): Promise<void> {
  await tx.query(sql`
    insert into credit_holds (organization_id, id, amount_credits, reference_type, reference_id, user_id, created_at)
    values (${hold.organization_id}, ${hold.id}, ${hold.amount_credits}, ${hold.reference_type}, ${hold.reference_id},
            ${hold.user_id}, ${hold.created_at})`)
  await tx.query(sql`
    insert into credit_hold_lots (organization_id, hold_id, lot_id, amount_credits)
    select ${hold.organization_id}::uuid, ${hold.id}::uuid, lot_id, amount
    from unnest(${lots.map((row) => row.lot_id)}::uuid[], ${lots.map((row) => row.amount_credits)}::bigint[])
      as drawn (lot_id, amount)`)
}

export async function findHold(db: Queryable, organization: string, id: string): Promise<HoldRow | null> {
  const [row] = await db.query<HoldRow>(sql`
    select id, amount_credits, reference_type, reference_id from credit_holds
    where organization_id = ${organization} and id = ${id}`)
  return row ?? null
}

/** The lots that a hold was drawn from, in drawing order. */
export async function lotsOfHold(db: Queryable, organization: string, hold: string): Promise<LotAmount[]> {
  return db.query<LotAmount>(sql`
    select drawn.lot_id, drawn.amount_credits
    from credit_hold_lots drawn
    join credit_lots lot on lot.organization_id = drawn.organization_id and lot.id = drawn.lot_id
    where drawn.organization_id = ${organization} and drawn.hold_id = ${hold}
    order by lot.priority, lot.expires_at nulls last, lot.created_at, lot.id`)
}

/** False when the hold was resolved before. */
export async function insertResolution(
  tx: Tx,
  organization: string,
  hold: string,
  outcome: 'settled' | 'released',
  settled_credits: number,
  released_credits: number,
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into credit_hold_resolutions (organization_id, hold_id, outcome, settled_credits, released_credits, created_at)
    values (${organization}, ${hold}, ${outcome}, ${settled_credits}, ${released_credits}, ${at})
    on conflict (organization_id, hold_id) do nothing
    returning hold_id`)
  return rows.length === 1
}

export interface EntryRow extends NewEntry {
  readonly position: number
  readonly available_after_credits: number
}

export async function listEntries(
  db: Queryable,
  organization: string,
  page: { kind: string | null; limit: number; offset: number },
): Promise<{ entries: EntryRow[]; total: number }> {
  const where = sql`where organization_id = ${organization} and (${page.kind}::text is null or kind = ${page.kind})`
  const entries = await db.query<EntryRow>(sql`
    select organization_id, id, position, kind, amount_credits, available_after_credits, reference_type, reference_id,
           hold_id, actor_kind, actor_id, operation, request_id, note, created_at
    from journal_entries ${where}
    order by position desc
    limit ${page.limit} offset ${page.offset}`)
  const [count] = await db.query<{ total: number }>(sql`select count(*) as total from journal_entries ${where}`)
  return { entries, total: count?.total ?? 0 }
}
