import type { Queryable } from '../../platform/database/database.ts'
import { chainStart, type ChainEntry } from './chain.ts'
import { hashAt, lastPosition, readChain, type EntryWithPostings } from './store.entries.ts'

/** An entry as the journal has it: what its hash is taken of, and the hash. */
export type JournalEntry = ChainEntry & { readonly hash: string }

/** Together with the hash of the entry before, from which its own follows. */
export type JournalLine = JournalEntry & { readonly previous_hash: string }

const page_entries = 500

/** A row as an entry. What no honest entry has (a number beyond the exact ones, no time) still becomes one, to be judged. */
export const entryOf = (row: EntryWithPostings): JournalEntry => ({
  organization_id: row.organization_id,
  position: Number(row.position),
  id: row.id,
  kind: row.kind,
  amount_credits: Number(row.amount_credits),
  available_after_credits: Number(row.available_after_credits),
  held_after_credits: Number(row.held_after_credits),
  reference_type: row.reference_type,
  reference_id: row.reference_id,
  hold_id: row.hold_id,
  actor_kind: row.actor_kind,
  actor_id: row.actor_id,
  operation: row.operation,
  request_id: row.request_id,
  idempotency_key: row.idempotency_key,
  note: row.note,
  created_at: row.created_at.toJSON() ?? '',
  postings: row.postings ?? [],
  hash: row.hash,
})

/**
 * The journal, oldest first, in pages: what comes after the position `after`, up to `until`. Every page is a statement of
 * its own, which is sound because nothing that was written changes.
 */
export async function* pagesOf(
  db: Queryable,
  organization: string,
  { after, until }: { after: number; until: number },
): AsyncGenerator<readonly JournalEntry[]> {
  for (let at = after; at < until;) {
    const rows = await readChain(db, organization, { after: at, until, limit: page_entries })
    if (rows.length > 0) yield rows.map(entryOf)
    if (rows.length < page_entries) return
    at = Number(rows.at(-1)!.position)
  }
}

/** The lines of an export, in pages: what stands in the journal now, after a position, at most so many. */
export async function* exportPages(
  db: Queryable,
  organization: string,
  { after, limit }: { after: number; limit: number },
): AsyncGenerator<readonly JournalLine[]> {
  const until = Math.min(await lastPosition(db, organization), after + limit)
  let previous_hash = (await hashAt(db, organization, after)) ?? chainStart
  for await (const page of pagesOf(db, organization, { after, until })) {
    const lines: JournalLine[] = []
    for (const entry of page) {
      lines.push({ ...entry, previous_hash })
      previous_hash = entry.hash
    }
    yield lines
  }
}
