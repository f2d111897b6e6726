import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import type { HashedPosting } from './chain.ts'

export interface JournalEntryRow {
  readonly organization_id: string
  readonly id: string
  readonly position: number
  readonly kind: string
  readonly amount_credits: number
  readonly available_after_credits: number
  readonly held_after_credits: number
  readonly reference_type: string
  readonly reference_id: string
  readonly hold_id: string | null
  readonly actor_kind: string
  readonly actor_id: string
  readonly operation: string
  readonly request_id: string
  readonly idempotency_key: string | null
  readonly note: string | null
  readonly created_at: Date
  readonly hash: string
}

/** `postings` is null if an entry has none, which means that they were deleted. */
export type JournalEntryRowWithPostings = JournalEntryRow & { readonly postings: readonly HashedPosting[] | null }

const columns = sql`
  organization_id, id, position, kind, amount_credits, available_after_credits, held_after_credits, reference_type,
  reference_id, hold_id, actor_kind, actor_id, operation, request_id, idempotency_key, note, created_at, hash`

export interface JournalPageRequest {
  readonly kind: string | null
  readonly limit: number
  readonly offset: number
  /** An SQL condition on the reference of an entry; null or omitted: all entries. */
  readonly visible?: ((type: Sql, id: Sql) => Sql) | null
}

/** Entries of the journal, newest first. */
export function listJournalEntries(
  db: SqlStatementRunner,
  organization: string,
  page: JournalPageRequest,
): Promise<RowPage<JournalEntryRow>> {
  const where = sql`organization_id = ${organization} and (${page.kind}::text is null or kind = ${page.kind})
    ${page.visible ? sql`and ${page.visible(sql`reference_type`, sql`reference_id`)}` : sql.empty}`
  const { limit, offset } = page
  return selectPage(db, { columns, from: sql`journal_entries`, where, orderBy: sql`position desc`, limit, offset })
}

/** Entries with their postings in the order in which they were written. */
const withPostings = sql`
  select ${columns},
    (select jsonb_agg(jsonb_build_object('account', p.account, 'lot_id', p.lot_id, 'amount_credits', p.amount_credits) order by p.line)
     from journal_postings p
     where p.organization_id = entry.organization_id and p.entry_id = entry.id) as postings
  from journal_entries entry`

/** A range of the chain, oldest first: from `after` (exclusive) to `until` (inclusive). */
export async function listJournalEntriesByPosition(
  db: SqlStatementRunner,
  organization: string,
  page: { after: number; until: number; limit: number },
): Promise<JournalEntryRowWithPostings[]> {
  return db.query<JournalEntryRowWithPostings>(sql`
    ${withPostings}
    where organization_id = ${organization} and position > ${page.after} and position <= ${page.until}
    order by position limit ${page.limit}`)
}

/** The position of the last entry; 0 if there is none. */
export async function findLastEntryPosition(db: SqlStatementRunner, organization: string): Promise<number> {
  const [row] = await db.query<{ position: number }>(sql`
    select coalesce(max(position), 0)::bigint as position from journal_entries where organization_id = ${organization}`)
  return row?.position ?? 0
}

/** The hash of the entry at a position; null if there is no entry. */
export async function findJournalEntryHash(
  db: SqlStatementRunner,
  organization: string,
  position: number,
): Promise<string | null> {
  const [row] = await db.query<{ hash: string }>(sql`
    select hash from journal_entries where organization_id = ${organization} and position = ${position}`)
  return row?.hash ?? null
}

export async function findJournalEntry(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<JournalEntryRowWithPostings | null> {
  const [row] = await db.query<JournalEntryRowWithPostings>(sql`
    ${withPostings} where organization_id = ${organization} and id = ${id}`)
  return row ?? null
}

/** All entries of a hold, oldest first. */
export async function listJournalEntriesOfHold(
  db: SqlStatementRunner,
  organization: string,
  hold: string,
): Promise<JournalEntryRowWithPostings[]> {
  return db.query<JournalEntryRowWithPostings>(sql`
    ${withPostings} where organization_id = ${organization} and hold_id = ${hold} order by position`)
}

/** The entries that the transaction has written, oldest first. */
export async function listEntriesOfTransaction(tx: Tx, organization: string): Promise<JournalEntryRowWithPostings[]> {
  return tx.query<JournalEntryRowWithPostings>(sql`
    ${withPostings}
    where organization_id = ${organization} and xmin = pg_current_xact_id()::xid order by position`)
}
