import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { ChainPosting } from './chain.ts'

export interface EntryRow {
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

const columns = sql`
  organization_id, id, position, kind, amount_credits, available_after_credits, held_after_credits, reference_type,
  reference_id, hold_id, actor_kind, actor_id, operation, request_id, idempotency_key, note, created_at, hash`

/** The journal as the wallet saw it, newest first. */
export async function listEntries(
  db: Queryable,
  organization: string,
  page: { kind: string | null; limit: number; offset: number },
): Promise<{ entries: EntryRow[]; total: number }> {
  const where = sql`where organization_id = ${organization} and (${page.kind}::text is null or kind = ${page.kind})`
  const entries = await db.query<EntryRow>(sql`
    select ${columns} from journal_entries ${where} order by position desc limit ${page.limit} offset ${page.offset}`)
  const [count] = await db.query<{ total: number }>(sql`select count(*) as total from journal_entries ${where}`)
  return { entries, total: count?.total ?? 0 }
}

export type EntryWithPostings = EntryRow & { readonly postings: readonly ChainPosting[] }

/** A stretch of the chain, oldest first, with the postings of each entry: from `after` (exclusive) on. */
export async function readChain(
  db: Queryable,
  organization: string,
  page: { after: number; limit: number },
): Promise<EntryWithPostings[]> {
  return db.query<EntryWithPostings>(sql`
    select ${columns},
      (select jsonb_agg(jsonb_build_object('account', p.account, 'lot_id', p.lot_id, 'amount_credits', p.amount_credits) order by p.line)
       from journal_postings p
       where p.organization_id = ${organization} and p.entry_id = entry.id) as postings
    from journal_entries entry
    where organization_id = ${organization} and position > ${page.after}
    order by position limit ${page.limit}`)
}
